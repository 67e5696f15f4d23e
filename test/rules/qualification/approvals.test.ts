import { describe, expect, test } from 'vitest'
import { type ApprovalFacts, isApproved } from '../../../src/shared/qualification/approvals/approval.rules.ts'

const plane = { id: 7, make: 'Cessna', model: '172S' }
const start = new Date('2026-12-01T10:00:00Z')
const of = (over: Partial<ApprovalFacts>): ApprovalFacts => ({
  resourceId: null,
  make: null,
  model: null,
  expiresAt: null,
  ...over,
})
const byModel = { make: 'Cessna', model: '172S' }

describe('an approval covers a booking of an aircraft (§Approvals)', () => {
  test.for<[string, Partial<ApprovalFacts>[], boolean]>([
    ['that is the one', [{ resourceId: 7 }], true],
    ['not another one', [{ resourceId: 8 }], false],
    ['of the make and model', [byModel], true],
    ['of the make and model in other case and with outer spaces', [{ make: ' CESSNA ', model: '172s' }], true],
    ['not of another model', [{ make: 'Cessna', model: '172' }], false],
    ['not of another make', [{ make: 'Piper', model: '172S' }], false],
    ['that starts before it ends', [{ ...byModel, expiresAt: new Date('2026-12-01T10:00:00.001Z') }], true],
    ['not one that starts when it ends', [{ ...byModel, expiresAt: start }], false],
    ['not one that starts after it ended', [{ resourceId: 7, expiresAt: new Date('2026-11-30T10:00:00Z') }], false],
    ['when another one still holds', [{ resourceId: 7, expiresAt: new Date('2026-11-30T10:00:00Z') }, byModel], true],
    ['not without any', [], false],
  ])('%s', ([, approvals, expected]) => {
    expect(isApproved(approvals.map(of), plane, start)).toBe(expected)
  })

  test('not one whose make and model are not known', () => {
    expect(isApproved([of(byModel)], { id: 7, make: null, model: '172S' }, start)).toBe(false)
  })
})
