import { describe, expect, test } from 'vitest'
import {
  isVerified,
  mayVerifyField,
  mayWriteField,
  mergeProfile,
  type ProfileReader,
  readableFields,
  verifiedAfter,
} from '../../../src/shared/identity/profiles/profile.rules.ts'
import { type Role, roleFlags } from '../../../src/shared/platform/authz/roles.ts'

const reader = (role: Role, of: Role, extra: Partial<ProfileReader> = {}): ProfileReader => ({
  self: false,
  roles: roleFlags({ [role]: true }),
  ofRoles: roleFlags({ [of]: true }),
  ownStudent: false,
  ...extra,
})
const seat = ['emergencyContact', 'weightPounds']
const everything = [
  ...['birthDate', 'address', 'emergencyContact', 'pilotCertificate', 'instructorCertificate'],
  ...['priorExperience', 'citizenshipVerification', 'weightPounds', 'notes'],
]

describe('who reads what of a profile (§Members)', () => {
  test.for([
    ['the member', reader('student', 'student', { self: true }), everything.slice(0, -1)],
    ['an admin of themselves', reader('admin', 'admin', { self: true }), everything.slice(0, -1)],
    ['an admin', reader('admin', 'student'), everything],
    ['an owner', reader('owner', 'admin'), everything],
    ['a dispatcher', reader('dispatcher', 'instructor'), seat],
    [
      'an instructor of a student',
      reader('instructor', 'student'),
      ['emergencyContact', 'pilotCertificate', 'priorExperience', 'weightPounds'],
    ],
    [
      'an instructor of a renter',
      reader('instructor', 'renter'),
      ['emergencyContact', 'pilotCertificate', 'priorExperience', 'weightPounds'],
    ],
    [
      'an instructor of their own student',
      reader('instructor', 'student', { ownStudent: true }),
      everything.filter((field) => field !== 'notes' && field !== 'instructorCertificate'),
    ],
    ['an instructor of a colleague', reader('instructor', 'instructor', { ownStudent: true }), []],
    ['an instructor of an admin', reader('instructor', 'admin'), []],
    ['a student of another', reader('student', 'student'), []],
    ['a renter of another', reader('renter', 'student'), []],
    ['a technician', reader('technician', 'student'), []],
  ] as const)('%s', ([_who, of, fields]) => {
    expect(readableFields(of)).toEqual(fields)
  })
})

describe('who writes and verifies (§Members)', () => {
  test.for([
    ['a member their birth date', 'birthDate', reader('student', 'student', { self: true }), true, false],
    ['an admin their own', 'birthDate', reader('admin', 'admin', { self: true }), true, true],
    ['an admin that of others', 'birthDate', reader('admin', 'student'), true, true],
    [
      'an instructor that of their student',
      'birthDate',
      reader('instructor', 'student', { ownStudent: true }),
      false,
      true,
    ],
    ['an instructor that of another student', 'birthDate', reader('instructor', 'student'), false, false],
    ['an instructor a pilot certificate', 'pilotCertificate', reader('instructor', 'renter'), false, true],
    [
      'an instructor their own certificate',
      'instructorCertificate',
      reader('instructor', 'instructor', { self: true }),
      true,
      false,
    ],
    ['a dispatcher a birth date', 'birthDate', reader('dispatcher', 'student'), false, false],
  ] as const)('%s', ([_what, field, of, writes, verifies]) => {
    expect([mayWriteField(field, of), mayVerifyField(field, of)]).toEqual([writes, verifies])
  })

  test('notes and citizenship are the admins’, and notes never about themselves', () => {
    const self = reader('admin', 'admin', { self: true })
    expect(mayWriteField('notes', reader('admin', 'student'))).toBe(true)
    expect(mayWriteField('notes', self)).toBe(false)
    expect(mayWriteField('citizenshipVerification', self)).toBe(true)
    expect(mayWriteField('citizenshipVerification', reader('student', 'student', { self: true }))).toBe(false)
  })
})

describe('a changed profile (§Members)', () => {
  const facts = { birthDate: '1988-04-17', emergencyContact: { name: 'Jo', phone: '+1' }, weightPounds: 165 }

  test('merges objects key by key, clears what is null and keeps the rest', () => {
    const changes = { emergencyContact: { phone: null, relation: 'sister', name: undefined as unknown as null } }
    expect(mergeProfile(facts, { ...changes, weightPounds: null, birthDate: undefined })).toEqual({
      birthDate: '1988-04-17',
      emergencyContact: { name: 'Jo', phone: null, relation: 'sister' },
      weightPounds: null,
    })
  })

  test('keeps the last verified value until another is verified or cleared', () => {
    const mark = { by: 7, at: '2026-11-20T00:00:00.000Z', self: false }
    const verified = verifiedAfter({}, facts, { fields: ['birthDate'], ...mark })
    expect(verified).toEqual({ birthDate: { value: '1988-04-17', ...mark } })
    expect(isVerified('birthDate', facts, verified)).toBe(true)
    const stated = { ...facts, birthDate: '1990-04-17' }
    expect(isVerified('birthDate', stated, verifiedAfter(verified, stated, { fields: [], ...mark }))).toBe(false)
    expect(verifiedAfter(verified, { birthDate: null }, { fields: ['birthDate'], ...mark })).toEqual({})
  })
})
