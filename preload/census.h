/* SPDX-License-Identifier: MIT */
/*
 * census.h: what a process tells the launcher of itself, so that `allocreport run` can say why
 * nothing was recorded: one record (struct dump_census) at a time, appended to the file that
 * ALLOCREPORT_CENSUS names. Nothing waits, nobody answers, and no failure is told. Never called
 * inside an allocation hook.
 */
#ifndef AR_CENSUS_H
#define AR_CENSUS_H

/* Does nothing where no launcher asked for it. */
void ar_census_tell(void);

#endif
