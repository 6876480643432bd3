/* SPDX-License-Identifier: MIT */
/* Numbers as people read them, in the words and roundings of the reporter's text (cli/format.c). */
'use strict';

/* A figure of the data: what is zero is not there, and what JSON's integers cannot hold is text. */
function num(value) {
    return value === undefined || value === null ? 0 : Number(value);
}

function fixed(value, decimals) {
    if (!Number.isFinite(value))
        return 'n/a';
    return value.toLocaleString('en-US', {minimumFractionDigits: decimals, maximumFractionDigits: decimals});
}

function count(value) {
    return fixed(num(value), 0);
}

/* "2,539", "1.02", "0.0012": at least two digits that count. */
function short(value) {
    const size = Math.abs(value);
    if (!(size > 0))
        return '0';
    if (size >= 1)
        return fixed(value, size >= 1000 ? 0 : 2);
    return size < 1e-9 ? value.toExponential(1) : value.toFixed(Math.min(20, Math.ceil(-Math.log10(size)) + 1));
}

function cell(value) {
    if (value > 0 && value < 0.01)
        return '<0.01';
    return value >= 0.01 && value < 1 ? fixed(value, 2) : short(value);
}

/* "1,793.802": enough to multiply with. */
function precise(value) {
    let decimals = 2;
    for (let size = Math.abs(value); size > 0 && size < 10000 && decimals < 9; size *= 10)
        decimals++;
    return fixed(value, decimals).replace(/(\.\d\d\d*?)0+$/, '$1');
}

function inUnits(value, base, units) {
    let unit = 0;
    while (Math.abs(value) >= base - base / 2000 && unit + 1 < units.length) {
        value /= base;
        unit++;
    }
    const size = Math.abs(value);
    const decimals = unit === 0 || size >= 99.95 || size === 0 ? 0 : size >= 9.995 ? 1 : 2;
    return fixed(value, decimals) + '\u00a0' + units[unit];
}

/* Decimal units: MB is 10^6. */
function bytes(value) {
    return inUnits(num(value), 1000, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']);
}

function signedBytes(value) {
    return (num(value) > 0 ? '+' : '') + bytes(value);
}

function duration(ns) {
    const value = num(ns);
    if (value < 120e9)
        return inUnits(value, 1000, ['ns', '\u00b5s', 'ms', 's']);
    const seconds = Math.round(value / 1e9);
    const minutes = Math.floor(seconds / 60);
    return minutes < 60 ? `${minutes} min ${seconds % 60} s`
                        : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/* Of whole numbers: 0 and 100 only if exact. */
function percent(part, whole, decimals = 0) {
    if (!(whole > 0))
        return '';
    const share = 100 * part / whole;
    if (part > 0 && share < 0.5 * 10 ** -decimals)
        return `<${fixed(10 ** -decimals, decimals)}\u00a0%`;
    if (part < whole && share > 100 - 0.5 * 10 ** -decimals)
        return `>${fixed(100 - 10 ** -decimals, decimals)}\u00a0%`;
    return fixed(share, part === 0 || part === whole ? 0 : decimals) + '\u00a0%';
}

/* "+12.3 %"; in words where one of the two is nothing. */
function change(before, after) {
    if (before === after)
        return 'the same';
    if (before === 0)
        return 'new';
    if (after === 0)
        return 'gone';
    const share = 100 * (after - before) / before;
    return Math.abs(share) < 0.05 ? '<0.1\u00a0%'
                                  : `${share > 0 ? '+' : '\u2212'}${fixed(Math.abs(share), 1)}\u00a0%`;
}

/* Of a quantile's two bounds: exact, or the least of its bucket with a tilde. */
function bound(range, unit) {
    if (!range)
        return '';
    return (num(range[0]) === num(range[1]) ? '' : '~') + unit(range[0]);
}

function plural(number, word) {
    return `${count(number)} ${word}${num(number) === 1 ? '' : 's'}`;
}
