import { describe, expect, test } from 'vitest'
import { type Role, roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { mayChange, mayDelete, mayReview, maySee } from '../../../src/shared/qualification/documents/document.rules.ts'

const reader = (orgUserId: number, role: Role) => ({ orgUserId, roles: roleFlags({ [role]: true }) })

describe('a document (§Documents)', () => {
  test.each([
    // who asks, whose it is (1, the organization's: null), who added it (1, the desk: 9): seen, changed
    [reader(1, 'student'), 1, 1, true, true],
    [reader(1, 'student'), 1, 9, true, false],
    [reader(1, 'student'), null, 9, true, false],
    [reader(2, 'student'), 1, 1, false, false],
    [reader(2, 'instructor'), 1, 9, false, false],
    [reader(2, 'technician'), null, 2, true, false],
    [reader(2, 'dispatcher'), 1, 1, true, true],
    [reader(2, 'admin'), null, 9, true, true],
    [reader(2, 'owner'), 1, 9, true, true],
  ])(
    'asked for by %o, owned by %s and added by %i is visible: %s, changeable: %s',
    (who, membershipId, uploadedBy, seen, changed) => {
      const filed = { membershipId, uploadedBy, roles: [] }
      expect([maySee(who, filed), mayChange(who, filed)]).toEqual([seen, changed])
    },
  )

  test.each([
    // who asks, the roles that it is for: seen
    [reader(1, 'student'), ['instructor'], false],
    [reader(1, 'instructor'), ['instructor', 'renter'], true],
    [reader(1, 'technician'), [], true],
    [reader(1, 'dispatcher'), ['instructor'], true],
  ] as const)('of the organization is seen by %o when it is for %o: %s', (who, roles, seen) => {
    expect(maySee(who, { membershipId: null, uploadedBy: 9, roles })).toBe(seen)
  })

  test.each([
    // who asks, whose it is: verified or rejected by them, deleted by them once it is verified
    [reader(1, 'student'), 1, false, false],
    [reader(2, 'instructor'), 1, false, false],
    [reader(2, 'dispatcher'), 1, true, true],
    [reader(2, 'dispatcher'), 2, false, true],
    [reader(2, 'owner'), null, true, true],
  ])('written at noon with the end %s counts as notified: %s', (who, membershipId, reviewed, deleted) => {
    expect([mayReview(who, { membershipId }), mayDelete(who, { status: 'verified' })]).toEqual([reviewed, deleted])
    expect(['pending', 'rejected'].every((status) => mayDelete(who, { status: status as 'pending' }))).toBe(true)
  })
})
