import { describe, expect, test } from 'vitest'
import { roles } from '../../../src/shared/platform/authz/roles.ts'
import { cleanCell, NESTED, problemOfCell } from '../../../src/shared/portability/reading/cells.rules.ts'
import {
  ignoredNames,
  matchHeader,
  optional,
  readRow,
  required,
} from '../../../src/shared/portability/reading/columns.rules.ts'
import {
  airport,
  centsCell,
  country,
  day,
  email,
  flag,
  lastMoment,
  line,
  moment,
  orNever,
  personName,
  positiveCents,
  reading,
  whole,
  word,
  words,
  zone,
} from '../../../src/shared/portability/reading/parsers.rules.ts'

const words_ = { example: '', doc: '' }
const columns = {
  name: required(line(10), words_),
  tailNumber: optional(line(10), { ...words_, aliases: ['N-number'] }),
}
const context = { order: 'iso', zone: 'America/New_York' } as const
const headerOf = (names: string[]) => {
  const header = matchHeader(columns, names)
  if ('problem' in header) throw new Error(header.problem)
  return header
}

describe('a header (§Imports)', () => {
  test('is matched whatever the case, blanks and punctuation of its names, by other names too', () => {
    expect(headerOf(['TAIL number', 'Name ']).columns).toEqual(['tailNumber', 'name'])
    expect(headerOf(['name', 'n_NUMBER']).columns).toEqual(['name', 'tailNumber'])
  })

  test('says which required column is missing, and which is there twice', () => {
    expect(matchHeader(columns, ['tail number'])).toEqual({
      problem: 'These columns are missing: name. The first line must name them.',
    })
    expect(matchHeader(columns, ['name', 'NAME'])).toEqual({ problem: 'The column name is there twice.' })
  })

  test('has names of at most 200 characters, without control characters but line breaks', () => {
    const problem = 'The name of column 2 has more than 200 characters, or control characters.'
    expect(headerOf(['name', `a\n${'b'.repeat(198)}`]).columns).toEqual(['name', null])
    for (const name of ['b'.repeat(201), 'a\u0000', '\ud800']) {
      expect(matchHeader(columns, ['name', name])).toEqual({ problem })
    }
  })

  test('reads the column of the name itself when there is another for the same', () => {
    expect(headerOf(['N-number', 'Name', 'Tail Number']).columns).toEqual([null, 'name', 'tailNumber'])
    expect(matchHeader(columns, ['N-number', 'Name', 'n number'])).toHaveProperty('problem')
  })

  test('may have other columns, which are not read; that of the problems is not worth a word', () => {
    const header = headerOf(['name', 'Paint', 'problem', ''])
    expect(header.columns).toEqual(['name', null, null, null])
    expect(ignoredNames(header)).toEqual(['Paint'])
  })
})

describe('a row', () => {
  const header = headerOf(['tailNumber', 'name'])

  test('has its values by column; a blank cell has none', () => {
    expect(readRow(columns, header, [' ', ' Skyhawk '], context)).toEqual({
      row: { tailNumber: undefined, name: 'Skyhawk' },
    })
    expect(readRow(columns, headerOf(['name']), ['Skyhawk'], context)).toEqual({ row: { name: 'Skyhawk' } })
  })

  test('is refused with everything that is wrong with it, beside the column', () => {
    expect(readRow(columns, header, ['N\u0000', '', 'more'], context)).toEqual({
      problems: [
        { column: null, message: 'The row has more cells than the file has columns.' },
        { column: 'name', message: 'is missing' },
        { column: 'tailNumber', message: 'must be text: it holds control characters, or an object' },
      ],
    })
  })

  test('is refused for a cell that is not read as well; an object in such a cell is not looked at', () => {
    const wide = headerOf(['name', 'Paint'])
    const paint = (cell: string) => readRow(columns, wide, ['Skyhawk', cell], context)
    expect(paint('x'.repeat(32 * 1024 + 1))).toEqual({
      problems: [{ column: 'Paint', message: 'has more than 32 KiB' }],
    })
    expect(paint('a\u0001')).toHaveProperty('problems')
    expect(paint(NESTED)).toHaveProperty('row')
  })
})

describe('a cell', () => {
  test.each([
    ['=1+1', '=1+1'],
    ["'=1+1", '=1+1'],
    ["'-15", '-15'],
    ["'tis", "'tis"],
    [' a ', 'a'],
  ])('of %s is the text %s: a formula is text', (cell, text) => {
    expect(cleanCell(cell)).toBe(text)
  })

  test('has at most 32 KiB, and no control characters but tabs and line breaks', () => {
    expect(problemOfCell('a\tb\nc')).toBeNull()
    expect(problemOfCell('a'.repeat(32 * 1024))).toBeNull()
    expect(problemOfCell('é'.repeat(16 * 1024 + 1))).toBe('has more than 32 KiB')
    expect(problemOfCell('a\u0007')).toBe('must be text: it holds control characters, or an object')
  })

  test.each([
    [line(3), 'abc', 'abc'],
    [word(['recent_flights', 'expiring']), 'Recent Flights', 'recent_flights'],
    [words(roles), 'Student | renter;student', ['student', 'renter']],
    [flag, 'YES', true],
    [email, 'Ana@Example.com', 'ana@example.com'],
    [personName, 'Ana Ruiz', 'Ana Ruiz'],
    [flag, '0', false],
    [whole(0, 30), '30', 30],
    [centsCell, '-15000', -15_000],
    [reading, '1234.5', 123_450],
    [moment, '2026-03-14', new Date('2026-03-14T04:00:00Z')],
    [moment, '2026-03-14 3:30', new Date('2026-03-14T07:30:00Z')],
    [moment, '2026-03-14T15:30:00.000Z', new Date('2026-03-14T15:30:00Z')],
    [lastMoment, '2026-03-14', new Date('2026-03-15T04:00:00Z')],
    [lastMoment, '2026-03-14T15:30-04:00', new Date('2026-03-14T19:30:00Z')],
    [orNever(lastMoment), 'Never', null],
    [zone, 'Europe/Berlin', 'Europe/Berlin'],
    [country, 'us', 'US'],
    [airport, 'khwd', 'KHWD'],
  ])('is read by its column (%#)', (parse, cell, value) => {
    expect(parse(cell, context)).toEqual({ value })
  })

  test.each([
    [line(3), 'abcd', 'has more than 3 characters'],
    [line(3), 'a\nb', 'must be one line'],
    [word(['plane', 'room']), 'boat', 'must be one of plane, room'],
    [words(['student', 'renter']), 'student pilot', 'must be one of student, renter'],
    [flag, 'maybe', 'must be yes or no'],
    [whole(1, 30), '31', 'must be a whole number from 1 to 30'],
    [whole(1, 30), '1.5', 'must be a whole number from 1 to 30'],
    [centsCell, '150.00', 'must be whole cents, such as 18500 for 185.00'],
    [positiveCents, '45.00', 'must be whole cents, such as 18500 for 185.00'],
    [positiveCents, '0', 'must be a whole number from 1 to 2000000000'],
    [positiveCents, '-4500', 'must be a whole number from 1 to 2000000000'],
    [reading, '1.234', 'must be hours with at most two decimals, such as 1234.5'],
    [email, 'ana at example.com', 'must be an email address'],
    [personName, 'Ana www.example.com', 'must not contain a web address'],
    [day, '2026-02-30', 'must be a date that exists, such as 2026-03-14'],
    [moment, '2026-03-14T25:00Z', 'must be a date or a time that exists, such as 2026-03-14 or 2026-03-14 15:30'],
    [zone, 'EST5', 'must be a time zone such as America/New_York'],
    [country, 'USA', 'must be a two-letter country code such as US'],
    [airport, 'Hayward', 'must be an airport code such as KHWD'],
  ])('that does not fit is refused in plain words, without what it holds (%#)', (parse, cell, problem) => {
    expect(parse(cell, context)).toEqual({ problem })
  })
})
