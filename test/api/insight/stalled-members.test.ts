import { expect } from 'vitest'
import { cents } from '../../../src/shared/platform/kernel/units.ts'
import { buildMember, type Member } from '../../support/builders.ts'
import { sharedSchoolTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { causesIn } from '../../support/stalled-causes.ts'
import { at, buildWorld, insertStalled } from '../../support/stalled-students.ts'
import { enrol } from '../../support/training.ts'

interface StalledRow {
  enrollment: { id: number; student: { orgUserId: number } }
  cause: string
  action: { path: string }
}

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
  const stalled = () => expectOk<StalledRow[]>(api, admin, 'GET', '/reports/stalled')
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

test('an overdue invoice to the bill-to payer is the cause, of which the student learns no more than that (§33.1, §22.4)', async ({
  api,
  school,
}) => {
  const { db } = api.core.database
  const { organizationId: organization_id, admin, student } = school
  const world = await buildWorld(api, school)
  const enrollmentId = await enrol(api, school, world.dual, student)
  await db
    .updateTable('enrollment')
    .set({ created_at: at('10-31') })
    .where('id', '=', enrollmentId)
    .execute()
  const payer = await buildMember(api, organization_id, ['renter'])
  const owe = async (due: string, by: { membership_id: number; billed_for_id?: number }) => {
    const { id } = await db
      .insertInto('invoice')
      .values({
        ...{ organization_id, total_cents: cents(5_000), currency: 'usd', status: 'open' as const, due_at: at(due) },
        ...by,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const stalled = async (who: Member) => {
    const rows = await expectOk<StalledRow[]>(api, who, 'GET', '/reports/stalled')
    return rows.find(({ enrollment }) => enrollment.id === enrollmentId)
  }
  // What the payer owes for themself is no matter of the student.
  await owe('11-02', { membership_id: payer.orgUserId })
  expect(await stalled(admin)).toMatchObject({ cause: 'no_booking' })
  const theirs = await owe('11-03', { membership_id: payer.orgUserId, billed_for_id: student.orgUserId })
  expect(await stalled(admin)).toMatchObject({
    ...{ cause: 'balance', since: '2026-11-03', action: { path: `/invoices/${theirs}/remind` } },
  })
  expect(await stalled(student)).toMatchObject({ cause: 'account_matter', since: null })
  const own = await owe('11-09', { membership_id: student.orgUserId })
  for (const who of [admin, student]) {
    expect(await stalled(who)).toMatchObject({
      ...{ cause: 'balance', since: '2026-11-09', action: { path: `/invoices/${own}/remind` } },
    })
  }
})

test('who has no account is invited to countersign, and what their instructor can sign comes first (§33.1, §17.1)', async ({
  api,
  school,
}) => {
  const { db } = api.core.database
  const world = await buildWorld(api, school)
  const [toSign, toCountersign] = causesIn(world).waiting_for_signature!
  const { enrollmentId } = await insertStalled(world, [toCountersign!, toSign!])
  const { id } = await db
    .selectFrom('training_record')
    .select('id')
    .where('enrollment_id', '=', enrollmentId)
    .where('signed_at', 'is', null)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('training_record')
    .set({ trained_at: at('11-10') })
    .where('id', '=', id)
    .execute()
  const stalled = async () => {
    const rows = await expectOk<StalledRow[]>(api, school.admin, 'GET', '/reports/stalled')
    return rows.find(({ enrollment }) => enrollment.id === enrollmentId)
  }
  expect(await stalled()).toMatchObject({
    cause: 'waiting_for_signature',
    action: { path: `/training/records/${id}/sign` },
  })
  await db
    .updateTable('training_record')
    .set({ signed_at: at('11-12'), signed_by: school.instructor.orgUserId })
    .where('id', '=', id)
    .execute()
  expect(await stalled()).toMatchObject({ cause: 'waiting_for_signature', action: { path: '/organizations/invite' } })
})
