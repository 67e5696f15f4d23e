import { describe, expect, test } from 'vitest'
import {
  noEvidence,
  orderOfDates,
  readDay,
  readingsOf,
  withDate,
} from '../../../src/shared/portability/reading/dates.rules.ts'

const evidenceOf = (cells: string[]) => cells.reduce(withDate, noEvidence)

describe('the order of the dates of a file (§Imports)', () => {
  test.each([
    ['ISO dates alone', ['2026-03-04', '2026-12-31'], 'iso'],
    ['no date at all', [], 'iso'],
    ['a day above 12 in the second place', ['03/04/2026', '03/14/2026'], 'mdy'],
    ['a day above 12 in the first place', ['04/03/2026', '31/12/2026'], 'dmy'],
    ['dots and a day above 12', ['4.3.2026', '14.3.2026'], 'dmy'],
    ['only dates that are the same both ways', ['3/3/2026'], 'iso'],
    ['only dates that can be read in two ways', ['03/04/2026'], 'unclear'],
    ['dates that contradict each other', ['03/14/2026', '31/12/2026'], 'mixed'],
    ['a text that is no date', ['soon', '13/13/2026'], 'iso'],
  ])('is told by %s', (_, cells, order) => {
    expect(orderOfDates('auto', evidenceOf(cells))).toBe(order)
  })

  test.each(['iso', 'mdy', 'dmy'] as const)('is %s when the import says so', (format) => {
    expect(orderOfDates(format, evidenceOf(['31/12/2026', '03/14/2026']))).toBe(format)
  })

  test('can be shown by the two days that a date can be', () => {
    expect(readingsOf('03/04/2026')).toEqual({ mdy: '2026-03-04', dmy: '2026-04-03' })
  })
})

describe('a cell with a date', () => {
  test.each([
    ['2026-03-04', 'iso', '2026-03-04'],
    ['3/4/2026', 'mdy', '2026-03-04'],
    ['3/4/2026', 'dmy', '2026-04-03'],
    ['04-03-2026 14:00', 'dmy', '2026-03-04'],
    ['3/4/2026', 'iso', null],
    ['2026-02-30', 'iso', null],
    ['2/30/2026', 'mdy', null],
    ['3/4/26', 'mdy', null],
    ['3/4-2026', 'mdy', null],
    ['46000', 'mdy', null],
    ['14-May-1990', 'iso', '1990-05-14'],
    ['14 may 1990 15:30', 'mdy', '1990-05-14'],
    ['1. Sept. 1990', 'dmy', '1990-09-01'],
    ['May 4, 1990', 'iso', '1990-05-04'],
    ['September 14 1990 3:30 PM', 'iso', '1990-09-14'],
    ['31-Feb-1990', 'iso', null],
    ['14-May-90', 'iso', null],
    ['14-Mayor-1990', 'iso', null],
    ['14. Mai 1990', 'iso', '1990-05-14'],
    ['3. März 1990', 'iso', '1990-03-03'],
    ['1. Dez. 1990', 'mdy', '1990-12-01'],
    ['1er août 1990', 'iso', '1990-08-01'],
    ['14 févr. 1990', 'dmy', '1990-02-14'],
    ['14 juillet 1990 15:30', 'dmy', '1990-07-14'],
    ['14 de mayo de 1990', 'iso', '1990-05-14'],
    ['2-ene-1990', 'iso', '1990-01-02'],
    ['14 agosto 1990', 'iso', '1990-08-14'],
  ] as const)('of %s read as %s is the day %s', (cell, order, day) => {
    expect(readDay(cell, order)).toBe(day)
  })

  test.each(['3/4/2026 13:00 PM', '3/4/2026 24:00', '3/4/2026 10:60', 'tomorrow'])('of %s is none', (cell) => {
    expect(readDay(cell, 'mdy')).toBeNull()
  })
})
