import { describe, expect, test } from 'vitest'
import { roles } from '../../../src/shared/platform/authz/roles.ts'
import { cleanCell, NESTED, problemOfCell } from '../../../src/shared/portability/reading/cells.rules.ts'
import { optional, readRow, required } from '../../../src/shared/portability/reading/columns.rules.ts'
import { ignoredNames, matchHeader } from '../../../src/shared/portability/reading/header.rules.ts'
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
    expect(matchHeader(columns, ['name', 'NAME'])).toEqual({ problem: 'The column name appears twice.' })
  })

  test('has names of at most 200 characters, without control characters but line breaks', () => {
    const problem = 'The name of column 2 has control characters, or more than 200 characters.'
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

describe('a column that takes the first that is filled', () => {
  const several = {
    name: required(line(40), {
      ...words_,
      firstFilled: true,
      aliases: ['display name'],
      parts: [['first name'], ['last name', 'name']],
    }),
    email: optional(email, { ...words_, firstFilled: true, aliases: ['mail', 'work email'] }),
  }
  const rowOf = (names: string[], cells: string[]) => {
    const header = matchHeader(several, names)
    if ('problem' in header) throw new Error(header.problem)
    return readRow(several, JSON.parse(JSON.stringify(header)), cells, context)
  }

  test.each([
    ['the whole before the parts', ['First Name', 'Last Name', 'Name'], ['A', 'B', 'Ana Ruiz'], 'Ana Ruiz'],
    ['the parts where the whole is blank', ['First Name', 'Last Name', 'Name'], ['Ana', 'Ruiz', ' '], 'Ana Ruiz'],
    ['a part alone', ['Last Name [Required]'], ['Ruiz'], 'Ruiz'],
    ['parts of which one is blank', ['Last Name', 'First Name'], ['', 'Ana'], 'Ana'],
    ['a name that is a part beside another', ['First Name', 'Name'], ['Ana', 'Ruiz'], 'Ana Ruiz'],
    ['a name that begins with the part beside it', ['First Name', 'Name'], ['Ana', 'Ana Ruiz'], 'Ana Ruiz'],
    ['another name of the whole', ['Display Name'], ['Ana Ruiz'], 'Ana Ruiz'],
  ])('reads %s', (_, names, cells, name) => {
    expect(rowOf(names, cells)).toMatchObject({ row: { name } })
  })

  test('reads the best of several columns that are filled, whatever their order in the file', () => {
    const names = ['Work Email', 'Name', 'E-Mail', 'Mail']
    expect(rowOf(names, ['w@example.com', 'Ana', 'own@example.com', 'm@example.com'])).toMatchObject({
      row: { email: 'own@example.com' },
    })
    expect(rowOf(names, ['w@example.com', 'Ana', '', 'm@example.com'])).toMatchObject({
      row: { email: 'm@example.com' },
    })
    expect(rowOf(names, ['', 'Ana', '', ''])).toEqual({ row: { name: 'Ana', email: undefined } })
  })

  test('is missing when no part of it is there', () => {
    expect(matchHeader(several, ['mail'])).toHaveProperty('problem')
    expect(rowOf(['First Name', 'Last Name'], ['', ' '])).toEqual({
      problems: [{ column: 'name', message: 'is missing' }],
    })
    expect(rowOf(['First Name', 'Last Name'], ['Ana', 'x\u0000'])).toHaveProperty('problems')
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
        {
          column: 'tailNumber',
          message: 'must be text: it holds control characters, marks that turn the direction of text, or an object',
        },
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
    expect(problemOfCell('a\u0007')).toBe(
      'must be text: it holds control characters, marks that turn the direction of text, or an object',
    )
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
    [day, '14-May-90', 'must have a year of four digits, such as 1990'],
    [day, '5/14/90', 'must have a year of four digits, such as 1990'],
    [day, '14.5.90', 'must have a year of four digits, such as 1990'],
    [day, 'May 14, 90', 'must have a year of four digits, such as 1990'],
    [day, "14 mai '90", 'must have a year of four digits, such as 1990'],
    [moment, '5/14/90 15:30', 'must have a year of four digits, such as 1990'],
    [moment, '2026-03-14T25:00Z', 'must be a date or a time that exists, such as 2026-03-14 or 2026-03-14 15:30'],
    [zone, 'EST5', 'must be a time zone such as America/New_York'],
    [country, 'USA', 'must be a two-letter country code such as US'],
    [airport, 'Hayward', 'must be an airport code such as KHWD'],
  ])('that does not fit is refused in plain words, without what it holds (%#)', (parse, cell, problem) => {
    expect(parse(cell, context)).toEqual({ problem })
  })
})

describe('what a spreadsheet made of a cell', () => {
  const header = headerOf(['tailNumber', 'name'])
  test.each([
    ['#REF!', 'formula'],
    ['#N/A', 'formula'],
    ['#DIV/0!', 'formula'],
    ['#VALUE!', 'formula'],
    ['#NAME?', 'formula'],
    ['#BEZUG!', 'formula'],
    ['#NV', 'formula'],
    ['#¡VALOR!', 'formula'],
    ['Err:502', 'formula'],
    ['########', 'number signs'],
    ['1.5105550100E+10', 'shortened'],
    ['1,51056E+10', 'shortened'],
    [' 3E+05', 'shortened'],
  ])('refuses the row of %s', (cell, why) => {
    const read = readRow(columns, header, [cell, 'Skyhawk'], context)
    expect(read).toEqual({ problems: [{ column: 'tailNumber', message: expect.stringContaining(why) }] })
  })

  test.each(['#1', '#12', 'C#', '1E5', 'N1E+', 'Err: 502'])('takes %s as it is', (cell) => {
    expect(readRow(columns, header, [cell, 'Skyhawk'], context)).toEqual({ row: { tailNumber: cell, name: 'Skyhawk' } })
  })

  test('is left alone in a column that is not read', () => {
    const unread = headerOf(['name', 'Paint'])
    expect(readRow(columns, unread, ['Skyhawk', '#REF!'], context)).toMatchObject({ row: { name: 'Skyhawk' } })
  })

  test('in place of no date is blank', () => {
    const dates = { born: optional(day, { ...words_, isDate: true }) }
    for (const cell of ['0/0/00', '0/0/0000', '0000-00-00']) {
      expect(readRow(dates, { names: ['born'], columns: ['born'] }, [cell], context)).toEqual({ row: {} })
    }
  })
})

describe('a number', () => {
  const comma = { ...context, decimalComma: true }
  test.each([
    [whole(0, 2000), '12.0', context, 12],
    [whole(0, 2000), '12.00', context, 12],
    [whole(0, 2000), '12,0', comma, 12],
    [whole(0, 2000), '12.5', context, null],
    [whole(0, 2000), '12,0', context, null],
    [whole(0, 20_000), '12.000', comma, null],
    [centsCell, '-18500.0', context, -18500],
    [centsCell, '18500,0', comma, 18500],
    [centsCell, '185.00', context, null],
    [centsCell, '185,00', comma, null],
    [reading, '4213,5', comma, 421_350],
    [reading, '4.213,55', comma, 421_355],
    [reading, '4213.5', comma, 421_350],
    [reading, '4.213', comma, null],
    [reading, '42.13,5', comma, null],
    [reading, '4213,5', context, null],
  ] as const)('%o of a file is read from %s', (parse, cell, of, value) => {
    expect(parse(cell, of)).toEqual(value === null ? { problem: expect.any(String) } : { value })
  })
})
