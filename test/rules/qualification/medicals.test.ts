import { describe, expect, test } from 'vitest'
import {
  type MedicalRecord,
  medicalEnd,
  medicalRecency,
} from '../../../src/shared/qualification/currencies/medical.rules.ts'

const held = (of: MedicalRecord['class'], examinedOn: string, courseOn: string | null = null): MedicalRecord => ({
  id: 5,
  at: new Date(`${examinedOn}T12:00:00Z`),
  class: of,
  examinedOn,
  courseOn,
})

describe('a medical (14 CFR 61.23(d))', () => {
  test.for([
    ['third', '2025-03-14', '1986-05-02', 'private', '2030-03-31'],
    ['third', '2025-03-14', '1986-05-02', 'commercial', null],
    ['third', '2025-03-14', '1985-03-14', 'private', '2027-03-31'],
    ['third', '2025-03-14', '1985-03-15', 'private', '2030-03-31'],
    ['first', '2026-01-10', '1990-07-01', 'airline_transport', '2027-01-31'],
    ['first', '2026-01-10', '1990-07-01', 'commercial', '2027-01-31'],
    ['first', '2026-01-10', '1990-07-01', 'private', '2031-01-31'],
    ['first', '2026-01-10', '1980-02-01', 'airline_transport', '2026-07-31'],
    ['first', '2026-01-10', '1980-02-01', 'commercial', '2027-01-31'],
    ['first', '2026-01-10', '1980-02-01', 'private', '2028-01-31'],
    ['second', '2024-02-29', '1970-01-01', 'commercial', '2025-02-28'],
    ['second', '2024-02-29', '1970-01-01', 'private', '2026-02-28'],
    ['second', '2024-02-29', '1970-01-01', 'airline_transport', null],
    // Born on a leap day, forty on the first of March of another year.
    ['third', '2025-02-28', '1985-02-28', 'private', '2027-02-28'],
    ['third', '2024-02-28', '1984-02-29', 'private', '2029-02-28'],
  ] as const)(
    'of the %s class, examined on %s, born on %s, serves %s to %s',
    ([of, examined, born, privilege, end]) => {
      expect(medicalEnd(held(of, examined), privilege, born)).toBe(end)
    },
  )

  test.for([
    ['2025-01-20', 'private', '2027-01-31'],
    ['2027-01-05', 'private', '2029-01-31'],
    ['2025-01-20', 'commercial', null],
    ['2025-01-20', 'airline_transport', null],
    [null, 'private', null],
  ] as const)(
    'of BasicMed, examined on 2025-01-15 with a course on %s, serves %s to %s',
    ([course, privilege, end]) => {
      expect(medicalEnd(held('basic', '2025-01-15', course), privilege, '1960-01-01')).toBe(end)
    },
  )

  test('without a birth date has the shorter term and asks for it', () => {
    expect(medicalRecency(held('third', '2025-03-14'), null, 'private')).toEqual({
      validUntil: '2027-03-31',
      evidence: [{ kind: 'record', id: 5, at: new Date('2025-03-14T12:00:00Z'), counted: null }],
      needs: [
        { action: 'record', count: null, by: '2027-03-31' },
        { action: 'birth_date', count: null, by: null },
      ],
      privileges: [
        { privilege: 'airline_transport', validUntil: null },
        { privilege: 'commercial', validUntil: null },
        { privilege: 'private', validUntil: '2027-03-31' },
      ],
    })
    const { needs } = medicalRecency(held('second', '2025-03-14'), null, 'commercial')
    expect(needs).toEqual([{ action: 'record', count: null, by: '2026-03-31' }])
  })

  test('that is not on record serves nothing', () => {
    expect(medicalRecency(null, '1990-01-01', 'private')).toEqual({
      validUntil: null,
      evidence: [],
      needs: [{ action: 'record', count: null, by: null }],
      privileges: ['airline_transport', 'commercial', 'private'].map((privilege) => ({ privilege, validUntil: null })),
    })
  })
})
