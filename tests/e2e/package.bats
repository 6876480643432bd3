#!/usr/bin/env bats
# SPDX-License-Identifier: MIT
# make dist and make deb: what they hold, builds without git, and runs.

load helpers

# The tree as it is, without what was built, as the one commit of a repository of its own.
setup_repository() {
    mkdir repository
    tar -C "$root" -cf - --exclude=./build --exclude=./.git . | tar -C repository -xf -
    (
        cd repository || exit
        git init -q
        git add -A -f
        git -c user.name=nobody -c user.email=nobody@localhost commit -q -m all
    )
}

make_in() {
    env -u MAKEFLAGS -u MAKELEVEL -u CFLAGS -u CXXFLAGS make -C "$@"
}

version=$(sed -n 's/^VERSION := //p' "$root/Makefile")

@test "the archive builds without git into a package that lintian takes, and that runs" {
    setup_repository
    make_in repository -s dist
    tar -xf "repository/build/allocreport-$version.tar.gz"
    diff <(git -C repository ls-files | sort) \
        <(cd "allocreport-$version" && find . ! -type d | sed 's|^\./||' | sort)
    rm -r repository
    mkdir bin
    printf '#!/bin/sh\nexit 99\n' >bin/git
    chmod +x bin/git
    PATH=$PWD/bin:$PATH make_in "allocreport-$version" deb >log 2>&1 || { tail -n 20 log | cut -c 1-200 >&2; return 1; }

    # Its build has run the reporter and the recorder; and here they run where they were unpacked.
    package=allocreport-$version/build/deb/allocreport_${version}_amd64.deb
    dpkg-deb -x "$package" installed
    installed/usr/bin/allocreport --version | grep -qx "allocreport $version"
    installed/usr/bin/allocreport run -- "$progs/ends" >shown
    grep -q ends shown
    same "dumps" "$(compgen -G '*.alloc' | wc -l)" 1

    # What make install installs, and what Debian wants of a package.
    make -s -n -C "$root" install prefix=/usr | grep -o ':/usr/[^ ;]*' | sed 's|.*/||' | sort >wanted
    [ "$(wc -l <wanted)" -gt 15 ]
    diff wanted <(cd installed/usr && find . -type f ! -path './share/doc/*' -printf '%f\n' | sed 's/\.gz$//' | sort)
    dpkg-deb -f "$package" Depends | tr ',' '\n' >depends
    for library in libunwind8 libdw1 libjansson4 libyaml-0-2 zlib1g; do
        grep -q "^ *$library\b" depends # the first one is not linked but loaded
    done
    pc=$(find installed -name allocreport.pc)
    [ -f "installed$(pkg-config --variable=recorder "$pc")" ]
    [ -f "installed$(pkg-config --variable=includedir "$pc")/allocreport.h" ]
}

@test "the package's files agree with the tree's: version, what building needs, licence, commands" {
    same "version" "$(sed -n '1s/^allocreport (\(.*\)).*/\1/p' "$root/.debian/changelog")" "$version"
    diff <(sed -n '/^Build-Depends:/,/^$/p' "$root/.debian/control" | grep -o '[a-z0-9.-]*\(-dev\|config\)' | sort) \
        <(sed -n 's/^PACKAGES_BUILD := //p' "$root/Makefile" | tr ' ' '\n' | grep -vx 'gcc\|g++\|make' | sort)
    diff <(sed -n '/^Permission/,$p' "$root/LICENSE") \
        <(sed -n '/^License: Expat$/,$p' "$root/.debian/copyright" | sed -n '/^ Permission/,$p' | sed 's/^ //; s/^\.$//')
    "$allocreport" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -vx help >commands
    [ -s commands ]
    while read -r command; do
        [ -f "$root/cli/man/allocreport-$command.1" ] || { echo "no page: $command" >&2; false; }
    done <commands
}
