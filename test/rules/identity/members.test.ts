import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patternProblems } from '../../../src/shared/identity/members/availability.rules.ts'
import { rolesBeyond, rolesRefusal } from '../../../src/shared/identity/members/roles.rules.ts'
import { roleFlags } from '../../../src/shared/platform/authz/roles.ts'

const leader = { owner: true, admin: true }
const admin = { owner: false, admin: true }

describe('a set of roles (§Members)', () => {
  test.each([
    ['an owner who is not an admin is refused', { owner: true }, [leader], 'admin'],
    ['the last owner cannot stop being one', { admin: true }, [admin], 'owner'],
    ['with nobody else, nothing but owner and admin will do', {}, [], 'owner'],
    ['an owner elsewhere lets an owner go', { student: true }, [leader], null],
    ['owner and admin alone are fine', { owner: true, admin: true }, [], null],
    ['no role at all is fine for others', {}, [leader], null],
  ])('is checked as a whole: %s', (_, wanted, others, field) => {
    expect(rolesRefusal(roleFlags(wanted), others)?.field ?? null).toBe(field)
  })

  test('keeps an admin, whoever owns the organization', () => {
    const owner = { owner: true, admin: false }
    expect(rolesRefusal(roleFlags({}), [owner])?.refusal().message).toBe(
      'admin: the organization must keep an admin; make another member an admin first',
    )
  })
})

describe('an open invitation', () => {
  test.each([
    ['an owner', { owner: true, admin: true }, []],
    ['an admin', { admin: true }, ['owner']],
    ['a dispatcher', { dispatcher: true }, ['owner', 'admin', 'dispatcher', 'instructor', 'technician']],
    ['an instructor', { instructor: true }, ['owner', 'admin', 'dispatcher', 'instructor', 'renter', 'technician']],
    ['somebody who left', null, ['owner', 'admin', 'dispatcher', 'instructor', 'renter', 'technician']],
  ])('of %s ends when it grants more than its sender may grant', (_, held, beyond) => {
    expect(rolesBeyond(held && roleFlags(held))).toEqual(beyond)
  })
})

describe('a weekly pattern', () => {
  const item = (dayOfWeek: number, startMinute: number, endMinute: number) => ({ dayOfWeek, startMinute, endMinute })

  test.each([
    ['empty', [], []],
    ['contiguous items', [item(1, 480, 720), item(1, 720, 1020)], []],
    ['the same hours on two days', [item(1, 480, 720), item(2, 480, 720)], []],
    ['an overlap of one minute', [item(1, 480, 721), item(1, 720, 1020)], ['availability.1']],
    ['one inside another', [item(3, 0, 1440), item(3, 600, 660)], ['availability.1']],
    ['the same twice, and again', [item(5, 1, 2), item(5, 1, 2), item(5, 1, 2)], ['availability.1', 'availability.2']],
    ['one that ends when it begins', [item(1, 480, 480)], ['availability.0.endMinute']],
  ])('that has %s is refused by name', (_, items, fields) => {
    expect(patternProblems(items).map((problem) => problem.field)).toEqual(fields)
  })

  test('is accepted exactly when no minute of the week is covered twice', () => {
    const stretch = fc
      .tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 10 }))
      .filter(([, start, end]) => start < end)
      .map(([day, start, end]) => item(day, start, end))
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 6 }), (items) => {
        const minutes = items.flatMap(({ dayOfWeek, startMinute, endMinute }) =>
          Array.from({ length: endMinute - startMinute }, (_, minute) => `${dayOfWeek}:${startMinute + minute}`),
        )
        expect(patternProblems(items).length === 0).toBe(new Set(minutes).size === minutes.length)
      }),
    )
  })
})
