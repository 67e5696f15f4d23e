import { describe, expect, test } from 'vitest'
import { name, note, oneLine, text, ZoneName } from '../../../src/api/http/schemas.ts'
import {
  composed,
  problemOfLine,
  problemOfText,
  showsNothing,
  unwrapped,
} from '../../../src/shared/platform/kernel/text.ts'

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index))

const controls = [...from(0x00, 0x1f), ...from(0x7f, 0x9f)]
const breaks = ['\t', '\n', '\r']
const directionMarks = [...from(0x202a, 0x202e), ...from(0x2066, 0x2069)]
/** What people write: other scripts, joined emoji, blanks of every kind, marks that turn nothing. */
const harmless = ['', 'Ana Ruiz', 'Zoë', 'שלום', '山田太郎', '👩‍✈️', 'a\u00a0b', 'a\u200fb', '“N172SP” — 1.5 h', '~']

const inside = (character: string) => `Ana${character}Ruiz`

describe('a text that is far too long', () => {
  test('has one problem, and nothing else of it is looked at', () => {
    const looks = [oneLine(64), text(64), ZoneName].map(
      (schema) => schema.safeParse('\u202a'.repeat(60_000)).error?.issues,
    )
    expect(looks.map((issues) => issues?.map(({ code }) => code))).toEqual([['too_big'], ['too_big'], ['too_big']])
  })
})

describe('marks on a letter', () => {
  test('are composed with it, up to as many as any language has', () => {
    expect(composed('Zoe\u0308')).toBe('Zo\u00eb')
    expect(composed(`e\u0308${'\u0323'.repeat(29)}`)).toBe(`e\u0308${'\u0323'.repeat(29)}`.normalize('NFC'))
  })

  test('that are piled are left in their order, which costs the square of their number to change', () => {
    const piled = `a${'\u0301'.repeat(40)}${'\u0323'.repeat(40)}`
    expect([composed(piled), piled.normalize('NFC') === piled]).toEqual([piled, false])
  })
})

describe('a text of one line (§Conventions that hold across the interface)', () => {
  test('has no control character, not even a tab or a line break', () => {
    const found = new Set(controls.map(inside).map(problemOfLine))
    expect(found).toEqual(new Set(['must be one line without control characters']))
  })

  test('has no mark that makes it read differently from how it is stored', () => {
    const found = new Set(directionMarks.map(inside).map(problemOfLine))
    expect(found).toEqual(new Set(['must not contain marks that turn the direction of text']))
  })

  test('has every other character that people write', () => {
    expect(harmless.map(problemOfLine)).toEqual(harmless.map(() => null))
  })
})

describe('a text of several lines (§Conventions that hold across the interface)', () => {
  test('has tabs and line breaks', () => {
    expect(breaks.map(inside).map(problemOfText)).toEqual([null, null, null])
    expect(harmless.map(problemOfText)).toEqual(harmless.map(() => null))
  })

  test('has no other control character', () => {
    const others = controls.filter((character) => !breaks.includes(character))
    expect(others).toHaveLength(62)
    expect(new Set(others.map(inside).map(problemOfText))).toEqual(new Set(['must not contain control characters']))
  })

  test('has no mark that makes it read differently from how it is stored, and no half of a character', () => {
    const found = new Set(directionMarks.map(inside).map(problemOfText))
    expect(found).toEqual(new Set(['must not contain marks that turn the direction of text']))
    expect(problemOfText('half \ud83d')).toBe('must be well-formed text')
  })
})

describe('the schemas of texts (§Conventions that hold across the interface)', () => {
  const messages = (result: { error?: { issues: { message: string }[] } | undefined }) =>
    result.error?.issues.map(({ message }) => message) ?? []

  test.each([
    ['a name', name(20), ['must be one line without control characters']],
    ['a line', oneLine(20), ['must be one line without control characters']],
    ['a note', note(20), []],
    ['a text', text(20), []],
  ])('agree on line breaks: %s takes or refuses one', (_, schema, problems) => {
    expect(messages(schema.safeParse('Ana\nRuiz'))).toEqual(problems)
  })

  test('refuse with one sentence a byte that no text has', () => {
    for (const schema of [name(20), oneLine(20), note(20), text(20)]) {
      expect(messages(schema.safeParse('Ana\u0000'))).toHaveLength(1)
    }
  })
})

describe('marks of direction around a line', () => {
  test.each([
    ['\u202a+1 510 555 0100\u202c', '+1 510 555 0100'],
    ['\u200e(510) 555-0100', '(510) 555-0100'],
    ['\u202d0171 1', '0171 1'],
    ['0171\u200e 1', '0171 1'],
    ['\u202aN5240T\u202c', 'N5240T'],
    ['\u2068\u200eN5240T\u200f \u2069', 'N5240T'],
    ['\u200eAna Ruiz', 'Ana Ruiz'],
    ['Ana\u200f Ruiz', 'Ana\u200f Ruiz'],
    ['\u202egpj.exe', '\u202egpj.exe'],
    ['a\u202ab\u202c', 'a\u202ab\u202c'],
    ['\u200e', ''],
    [' Ana ', ' Ana '],
  ])('of %j leave %j', (line, left) => {
    expect(unwrapped(line)).toBe(left)
  })
})

describe('a text that shows nothing', () => {
  test.each(['', ' ', '\u200b', '\u3164', '\u115f\u1160', '\uffa0', '\u2800', '\u00ad\u2060', '\ufe0f', '\u{e0001}'])(
    'is %j',
    (text) => {
      expect(showsNothing(text)).toBe(true)
    },
  )
  test.each(['a', '.', '\u200bé', '李', '\u0301'])('is not %j', (text) => {
    expect(showsNothing(text)).toBe(false)
  })
})
