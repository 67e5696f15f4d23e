import { subscriptions } from '../../src/shared/composition/subscriptions.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { fanOutNotification } from '../../src/shared/platform/events/fan-out.ts'
import type { TestApp } from './app.ts'

/** Deletes the entries of the outbox. */
export async function clearOutbox(api: TestApp): Promise<void> {
  await api.core.relay.drain()
  await api.core.database.db.deleteFrom('outbox').execute()
}

/** Sends the events so far to their subscribers, as a worker does. */
export async function runFanOut(api: TestApp): Promise<void> {
  const { database, clock } = api.core
  const jobs = await database.db
    .selectFrom('outbox')
    .select(['id', 'organization_id'])
    .where('job', '=', 'events.fan-out-events')
    .orderBy('created_at')
    .execute()
  for (const { id, organization_id } of jobs) {
    await inTransaction(database, clock, (tx) =>
      fanOutNotification(tx, subscriptions, { id, organizationId: organization_id ?? 0 }),
    )
  }
}

/** Returns the notifications in the outbox, in their order. */
export async function owedNotifications(
  api: TestApp,
): Promise<{ kind: string; subjectId: number; causedBy: number | null }[]> {
  await runFanOut(api)
  const rows = await api.core.database.db
    .selectFrom('outbox')
    .select('payload')
    .where('job', '=', 'notifications.fan-out-notification')
    .orderBy('created_at')
    .execute()
  return rows.map(({ payload }) => {
    const { kind, subjectId, causedBy } = payload as { kind: string; subjectId: number; causedBy: number | null }
    return { kind, subjectId, causedBy }
  })
}
