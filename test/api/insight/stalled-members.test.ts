import { expect } from 'vitest'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { buildMember } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { at, buildWorld, insertStalled } from '../../support/stalled-students.ts'

const test = sharedSchoolTest()

test('the ledger of a bill-to payer counts in place of the student’s, and who was removed is not stalled (§33.1)', async ({
  api,
  school,
}) => {
  const { db } = api.core.database
  const { organizationId: organization_id, admin } = school
  const world = await buildWorld(api, school)
  const silent = { write: async () => ({ cause: 'silence', since: null }) }
  const { enrollmentId } = await insertStalled(world, [silent])
  const stalled = () =>
    expectOk<{ enrollment: { student: { orgUserId: number } }; cause: string; action: { path: string } }[]>(
      api,
      admin,
      'GET',
      '/reports/stalled',
    )
  const [row] = await stalled()
  const { orgUserId } = row!.enrollment.student
  const payer = await buildMember(api, organization_id, ['renter'])
  const owe = (membership_id: number) =>
    db
      .insertInto('ledger_entry')
      .values({
        ...{ organization_id, membership_id, kind: 'adjustment', created_at: at('11-13') },
        ...{ amount_cents: cents(-10_001), balance_cents: cents(-10_001) },
      })
      .execute()
  await owe(orgUserId)
  expect(await stalled()).toMatchObject([{ cause: 'balance', action: { path: `/orgUsers/${orgUserId}/ledger` } }])
  await db
    .updateTable('membership')
    .set({ bill_to_id: payer.orgUserId, bill_to_accepted_at: at('11-14') })
    .where('id', '=', orgUserId)
    .execute()
  expect(await stalled()).toMatchObject([{ enrollment: { id: enrollmentId }, cause: 'silence' }])
  await owe(payer.orgUserId)
  // Since when the payer's is short is not told.
  expect(await stalled()).toMatchObject([
    { cause: 'balance', since: null, action: { path: `/orgUsers/${payer.orgUserId}/ledger` } },
  ])
  await db
    .updateTable('membership')
    .set({ removed_at: at('11-20') })
    .where('id', '=', orgUserId)
    .execute()
  expect(await stalled()).toEqual([])
})
