import { describe, expect, it } from 'vitest'
import { type Role, roleFlags } from '../../../src/shared/platform/authz/roles.ts'
import { initialExpiryToldAt, mayChange, maySee } from '../../../src/shared/qualification/documents/document.rules.ts'

const reader = (orgUserId: number, role: Role) => ({ orgUserId, roles: roleFlags({ [role]: true }) })

describe('a document', () => {
  it.each([
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
  ])('asked for by %o, of %s, added by %i: seen %s, changed %s', (who, membershipId, uploadedBy, seen, changed) => {
    const filed = { membershipId, uploadedBy }
    expect([maySee(who, filed), mayChange(who, filed)]).toEqual([seen, changed])
  })

  it.each([
    ['2026-11-21T11:59:59.999Z', true],
    ['2026-11-21T12:00:00Z', true],
    ['2026-11-21T12:00:00.001Z', false],
    [null, false],
  ])('written at noon with the end %s counts as told of: %s', (expiresAt, told) => {
    const now = new Date('2026-11-21T12:00:00Z')
    expect(initialExpiryToldAt(expiresAt === null ? null : new Date(expiresAt), now)).toEqual(told ? now : null)
  })
})
