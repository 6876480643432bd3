# SPDX-License-Identifier: MIT
# patch_x.bash: an X server of a test's own, and real input to the program in it.
# shellcheck shell=bash disable=SC2154 # helpers.bash sets what is used here

# start_x: sets DISPLAY and xvfb.
start_x() {
    : >display
    Xvfb -displayfd 9 -screen 0 800x600x24 -nolisten tcp 9>display 2>xvfb.log 3>&- &
    xvfb=$!
    for _ in $(seq 200); do [ -s display ] && break; sleep 0.05; done
    DISPLAY=:$(cat display)
    export DISPLAY
    unset SDL_VIDEODRIVER
}

stop_x() {
    [ -z "${xvfb-}" ] || { kill "$xvfb"; wait "$xvfb" || :; } 2>/dev/null
    xvfb=
}

# input OUT: real input for a patch_events that writes to OUT: motion, clicks, the wheel, keys,
# text, a file drop, the clipboard; then a stall of 2.5 seconds under a flood of motion.
input() {
    local step
    xdotool mousemove 10 10 mousemove 300 200
    sleep 0.1
    for step in $(seq 60); do echo "mousemove $((100 + step * 5)) $((90 + step * 3))"; done | xdotool -
    xdotool click 1 click 3 click --repeat 2 --delay 50 1 click 4 click 5
    xdotool key --delay 20 a b Shift+c Return Left ctrl+v
    xdotool type --delay 20 'Text, 42.'
    until_quiet "$1"
    "$progs/x_drop" patch_events /tmp/one.txt /tmp/two%20words.txt /tmp/three
    until_quiet "$1"
    "$progs/patch_events" clip 3>&- &
    sleep 0.7
    xdotool key F9
    wait $!
    xdotool key F10
    until_quiet "$1"
    xdotool key F11
    sleep 0.2
    for step in $(seq 3000); do echo "mousemove $((100 + step % 400)) $((90 + step % 300))"; done | xdotool -
    until_quiet "$1" 3
    xdotool key F12
}

# until_quiet FILE [SECONDS]: nothing was added to it for so long.
until_quiet() {
    local before=-1 now
    while now=$(stat -c %s "$1") && [ "$now" != "$before" ]; do
        before=$now
        sleep "${2-0.4}"
    done
}
