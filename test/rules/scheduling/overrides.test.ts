import { describe, expect, test } from 'vitest'
import type { OverridingRole } from '../../../src/shared/platform/authz/rule-settings.ts'
import { judge } from '../../../src/shared/scheduling/rules/judge.rules.ts'
import { isInForce } from '../../../src/shared/scheduling/rules/override.rules.ts'
import type { PaperFacts } from '../../../src/shared/scheduling/rules/override.types.ts'
import { at, currency, facts, member, roles, settings, times } from './booking-facts.ts'

const lapsed = { currencyRecords: [{ currencyId: 5, expiresAt: at('2026-05-31T04:00:00Z') }] }
const rita = member('renters', 3, 'Rita Lange', lapsed)
const paul = member('renters', 4, 'Paul Lange', lapsed)

/** A rental of Rita and Paul, who both lack a medical, with overrides by somebody. */
function overriding(
  given: { rule: string; orgUserId?: number }[],
  { by = 'admin', orgUserId = 99, id = 5 }: { by?: OverridingRole | 'renter'; orgUserId?: number; id?: number } = {},
) {
  const { problems, overridden, denied } = judge(
    facts({
      booking: times({ type: 'rental' }),
      actor: { orgUserId, roles: roles(by) },
      seats: [rita, paul],
      currencies: [currency({ id, overridableBy: ['owner', 'admin', 'dispatcher'] })],
      overrides: { given: given.map((one) => ({ orgUserId: null, reason: 'Agreed by phone', ...one })), kept: [] },
    }),
  )
  return { left: problems.map((one) => one.orgUserId), met: overridden.map((one) => one.orgUserId), denied }
}

describe('an override (interface §Booking rules)', () => {
  test.each([
    ['of a rule meets it for everybody', [{ rule: 'currency:5' }], { left: [], met: [3, 4] }],
    ['of a rule and a person meets it for them alone', [{ rule: 'currency:5', orgUserId: 4 }], { left: [3], met: [4] }],
    ['of every currency meets each', [{ rule: 'currency' }], { left: [], met: [3, 4] }],
    ['of another currency is ignored', [{ rule: 'currency:6' }], { left: [3, 4], met: [] }],
    ['of a rule that nothing breaks is ignored', [{ rule: 'opening_hours' }], { left: [3, 4], met: [] }],
  ])('%s', (_name, given, expected) => {
    expect(overriding(given)).toEqual({ ...expected, denied: [] })
  })

  test('of a rule about oneself is denied to all but owners and admins', () => {
    const own = [{ rule: 'currency:5', orgUserId: 3 }]
    expect(overriding(own, { by: 'dispatcher', orgUserId: 3 })).toMatchObject({ denied: ['currency:5'] })
    expect(overriding(own, { by: 'admin', orgUserId: 3 })).toEqual({ left: [4], met: [3], denied: [] })
  })

  test('tells a renter nothing of somebody else: the problem stays, without its rule', () => {
    const asked = [{ rule: 'currency:5', orgUserId: 4 }]
    expect(overriding(asked, { by: 'renter', orgUserId: 3 })).toEqual({ left: [3, 4], met: [], denied: [] })
    expect(overriding([{ rule: 'currency:5' }], { by: 'renter', orgUserId: 3 }).denied).toEqual(['currency:5'])
  })
})

describe('an override that was kept is in force', () => {
  const given = { orgUserId: 3, resourceId: 7, startsAt: at('2026-06-02T14:00:00Z') }
  const booking = { resourceId: 7, start: at('2026-06-02T14:00:00Z'), seats: [{ orgUserId: 3 }] }

  test.each([
    ['while nothing changes', {}, true],
    ['when the booking moves by 24 hours', { start: at('2026-06-03T14:00:00Z') }, true],
    ['not when it moves by more', { start: at('2026-06-03T14:00:00.001Z') }, false],
    ['not when it moves back by more', { start: at('2026-06-01T13:59:59.999Z') }, false],
    ['not on another aircraft', { resourceId: 8 }, false],
    ['not without the person', { seats: [{ orgUserId: 4 }] }, false],
  ])('%s', (_name, over, expected) => {
    expect(isInForce(given, { ...booking, ...over })).toBe(expected)
  })

  test('for a rule that is about no person whoever is on it', () => {
    expect(isInForce({ ...given, orgUserId: null }, { ...booking, seats: [] })).toBe(true)
  })
})

describe('the paper that an override of ratings and endorsements names (interface §Booking rules)', () => {
  const scan: PaperFacts = {
    orgUserId: 3,
    category: 'certificate',
    stored: true,
    rejected: false,
    expiresAt: null,
    uploadedBy: 99,
    verifiedBy: 98,
  }
  const student = { pilot: { grade: 'student', ratings: [] }, instructor: null }
  const none = { loggedBefore: [], hours: [], endorsed: [], logged: [] }
  const renter = member('renters', 3, 'Rita Lange', { ratings: { ...student, ...none } })

  /** The override of a rental by a student's certificate, with a document 7 as it is given. */
  const named = (paper: PaperFacts | null, { needed = true, documentId = 7 as number | null } = {}) =>
    judge(
      facts({
        booking: times({ type: 'rental' }),
        actor: { orgUserId: 99, roles: roles('admin') },
        seats: [renter],
        settings: settings({
          overridesNeedPaper: needed,
          rules: { pilot_rating: { enforcement: 'block', blockedSince: '2026-01-01T12:00:00Z' } },
        }),
        overrides: {
          given: [
            { rule: 'opening_hours', orgUserId: null, reason: 'Agreed by phone' },
            { rule: 'pilot_rating', orgUserId: null, reason: 'Saw the certificate', documentId },
          ],
          kept: [],
          papers: new Map(paper ? [[7, paper]] : []),
        },
      }),
    )
  const answered = (...given: Parameters<typeof named>) =>
    named(...given).problems.map(({ rule, code, field }) => `${rule} ${code} ${field}`)

  test('meets the rule when it is a document of that person that can show it', () => {
    expect(answered(scan)).toEqual([])
    expect(answered({ ...scan, uploadedBy: 98, verifiedBy: null })).toEqual([])
    expect(answered({ ...scan, uploadedBy: 99, verifiedBy: 98 })).toEqual([])
    expect(answered({ ...scan, category: 'other', expiresAt: at('2026-06-01T12:00:00.001Z') })).toEqual([])
    expect(answered({ ...scan, uploadedBy: 98, verifiedBy: 99 })).toEqual([])
  })

  test.each<[string, PaperFacts | null]>([
    ['of nobody, or of another organization', null],
    ['of somebody else', { ...scan, orgUserId: 4 }],
    ['of the caller', { ...scan, orgUserId: 99 }],
    ['of the organization', { ...scan, orgUserId: null }],
    ['of the organization, its insurance', { ...scan, orgUserId: null, category: 'insurance' }],
    ['uploaded by the caller, and verified by nobody', { ...scan, uploadedBy: 99, verifiedBy: null }],
    ['a medical', { ...scan, category: 'medical' }],
    ['an identification', { ...scan, category: 'identification' }],
    ['a contract', { ...scan, category: 'contract' }],
    ['whose file never arrived', { ...scan, stored: false }],
    ['that is rejected', { ...scan, rejected: true }],
    ['that has expired', { ...scan, expiresAt: at('2026-06-01T12:00:00Z') }],
    ['that the caller uploaded and verified', { ...scan, verifiedBy: 99 }],
  ])('is refused with one answer: a document %s', (_name, paper) => {
    expect(answered(paper)).toEqual(['pilot_rating INVALID overrides.1.documentId'])
    const [unknown] = named(null).problems
    expect(named(paper).problems).toEqual([unknown])
  })

  test('is asked for where the organization asks for it, and checked wherever it is named', () => {
    expect(answered(null, { documentId: null })).toEqual(['pilot_rating INVALID overrides.1.documentId'])
    expect(answered(null, { documentId: null, needed: false })).toEqual([])
    expect(answered({ ...scan, rejected: true }, { needed: false })).toHaveLength(1)
  })
})
