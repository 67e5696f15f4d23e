import { describe, expect, test } from 'vitest'
import { signedWith } from '../../../src/shared/training/endorsements/signer-certificate.rules.ts'

describe('the certificate number of an endorsement (14 CFR 61.189(a))', () => {
  const none = { stated: null, verified: null }
  const stated = { stated: { number: '31CFI' }, verified: null }
  const verified = { stated: { number: '31CFI' }, verified: { number: '31CFI', validUntil: '2026-11-23' } }

  test.each([
    ['is the one of the body', '7CFI', none, '7CFI', null],
    ['is else that of the profile, verified or not', null, stated, '31CFI', null],
    ['is else none', null, none, null, null],
    ['may differ from a number that nobody verified', '7CFI', stated, '7CFI', null],
    ['contradicts a verified number that it is not', '7CFI', verified, '7CFI', 'other_number'],
    ['is the verified number in other spelling', '31-cfi', verified, '31-cfi', null],
    ['is the verified number without the suffix', '31', verified, '31', null],
    ['contradicts nothing where no number is verified', '7CFI', { stated: null, verified: {} }, '7CFI', null],
  ] as const)('%s', (_name, given, profile, number, flaw) => {
    expect(signedWith(given, profile, '2026-11-23')).toEqual({ number, flaw })
  })

  test('is of a certificate that has not ended on the day of the signature', () => {
    expect(signedWith(null, verified, '2026-11-23').flaw).toBeNull()
    expect(signedWith(null, verified, '2026-11-24').flaw).toBe('ended')
    expect(signedWith('7CFI', { ...stated, stated: { validUntil: '2020-01-01' } }, '2026-11-24').flaw).toBeNull()
  })

  test('is of a certificate that nobody ended by the day of the signature, verified or not', () => {
    for (const profile of [none, stated, verified]) {
      expect(signedWith('31CFI', { ...profile, endedOn: '2026-11-22' }, '2026-11-21').flaw).toBeNull()
      expect(signedWith('31CFI', { ...profile, endedOn: '2026-11-22' }, '2026-11-22').flaw).toBe('ended')
    }
  })

  test('is the last verified number when the profile states another since', () => {
    const changed = { stated: { number: '8CFI' }, verified: { number: '31CFI' } }
    expect(signedWith(null, changed, '2026-11-23')).toEqual({ number: '8CFI', flaw: 'other_number' })
  })
})
