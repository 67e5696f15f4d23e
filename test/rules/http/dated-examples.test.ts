import { describe, expect, test } from 'vitest'
import { exampleWeeks, movedExample, withMovedExamples } from '../../../src/api/http/dated-examples.rules.ts'

describe('the weeks from the recording', () => {
  test.for([
    ['2026-06-01T15:00:00Z', 0, 0],
    ['2026-06-01T15:00:01Z', 0, 1],
    ['2026-06-08T15:00:00Z', 1, 1],
    // In winter the school's Monday at 8:00 is 16:00 UTC.
    ['2026-11-30T15:30:00Z', 25, 26],
    ['2026-11-30T16:00:00Z', 26, 26],
    ['2026-05-31T15:00:00Z', -1, 0],
  ] as const)('to %s are %i for the past and %i for what is ahead', ([now, past, ahead]) => {
    expect(exampleWeeks(new Date(now))).toEqual({ past, ahead })
  })
})

describe('an example that moves by 25 weeks in the past and 26 ahead', () => {
  const weeks = { past: 25, ahead: 26 }

  test.for([
    ['2026-06-16T10:00:00-07:00', '2026-12-15T10:00:00-08:00'],
    ['2026-06-16T17:00:00.000Z', '2026-12-15T18:00:00.000Z'],
    ['2026-06-16T17:00:00Z', '2026-12-15T18:00:00Z'],
    ['2026-06-01T15:00:00.000Z', '2026-11-23T16:00:00.000Z'],
    ['2026-06-01', '2026-11-23'],
    ['2026-06-02', '2026-12-01'],
    ['2026-05-31', '2026-11-22'],
    ['2026-06-17 · N206FL', '2026-12-16 · N206FL'],
    ['1961-02-11', '1961-02-11'],
    ['M-1,1994-03-14', 'M-1,1994-03-14'],
    ['BFA-2026-032', 'BFA-2026-032'],
    ['b1f0c6f2-6b7a-4a58-9d6e-0c5a0a3b9f11', 'b1f0c6f2-6b7a-4a58-9d6e-0c5a0a3b9f11'],
  ] as const)('turns %s into %s', ([given, moved]) => {
    expect(movedExample({ rows: [given] }, weeks)).toEqual({ rows: [moved] })
  })

  test('moves in a document only what stands in examples, and leaves a field that has that name', () => {
    const day = '2026-06-02'
    const document = {
      description: `Since ${day}`,
      example: day,
      schema: { properties: { example: { description: day, examples: [day] } } },
    }
    expect(withMovedExamples(document, weeks)).toEqual({
      description: `Since ${day}`,
      example: '2026-12-01',
      schema: { properties: { example: { description: day, examples: ['2026-12-01'] } } },
    })
    expect(document.example).toBe(day)
  })
})
