import { describe, expect, test } from 'vitest'
import { expiryOf, fillIn, placeholdersIn } from '../../../src/shared/training/endorsements/endorsement.rules.ts'
import {
  endorsementTemplates,
  findEndorsementTemplate,
} from '../../../src/shared/training/endorsements/endorsement-templates.ts'

describe('the catalog of endorsements (§Training)', () => {
  test('has the ninety-two codes of the advisory circular, in order', () => {
    expect(endorsementTemplates.map(({ code }) => code)).toEqual(
      Array.from({ length: 92 }, (_, index) => `A.${index + 1}`),
    )
  })

  test('gives solo endorsements 90 days, at night and in Class B too, and the others no end', () => {
    const limited = endorsementTemplates.filter(({ validityDays }) => validityDays !== null)
    expect(limited.map(({ code, validityDays }) => [code, validityDays])).toEqual([
      ['A.5', 90],
      ['A.6', 90],
      ['A.7', 90],
      ['A.12', 90],
      ['A.13', 90],
    ])
  })

  test('names the student in every text and cites a rule beside it', () => {
    const wrong = endorsementTemplates.filter(
      ({ text, rule }) => !placeholdersIn(text).includes('student') || !/CFR|SFAR|FAA-S/.test(rule),
    )
    expect(wrong.map(({ code }) => code)).toEqual([])
  })

  test('has only closed placeholders in braces', () => {
    const odd = endorsementTemplates.filter(({ text }) => /[{}]/.test(text.replace(/\{\{\w+\}\}/g, '')))
    expect(odd.map(({ code }) => code)).toEqual([])
  })

  test('finds a code in upper and lower case', () => {
    expect(findEndorsementTemplate('a.6')?.rule).toBe('14 CFR 61.87(n)')
    expect(findEndorsementTemplate('A.93')).toBeNull()
  })
})

describe('the template of an endorsement', () => {
  test('is filled in with what is known and leaves the rest to the instructor', () => {
    const text = fillIn('{{student}} may fly the {{makeAndModel}}; so may {{student}}.', { student: 'Ana $& Ruiz' })
    expect(text).toBe('Ana $& Ruiz may fly the {{makeAndModel}}; so may Ana $& Ruiz.')
    expect(placeholdersIn(text)).toEqual(['makeAndModel'])
  })
})

describe('the expiry of an endorsement', () => {
  test('is the end of the last day, counted from the local date', () => {
    // November 21 and 90 days more is February 19.
    const signed = new Date('2026-11-21T12:00:00Z')
    expect(expiryOf(signed, 90, 'UTC')).toEqual(new Date('2027-02-19T23:59:59.999Z'))
    expect(expiryOf(signed, 90, 'America/New_York')).toEqual(new Date('2027-02-20T04:59:59.999Z'))
    // It is November 20 there still.
    expect(expiryOf(new Date('2026-11-21T03:00:00Z'), 90, 'America/New_York')).toEqual(
      new Date('2027-02-19T04:59:59.999Z'),
    )
  })

  test('is absent without days', () => {
    expect(expiryOf(new Date(), null, 'UTC')).toBeNull()
  })
})
