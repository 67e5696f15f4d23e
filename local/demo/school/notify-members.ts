import { deliverToAudience } from '../../../src/shared/communication/notifications/deliver-to-audience.ts'
import type { Database } from '../../../src/shared/platform/db/database.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { notificationDefinitions } from '../../../src/workers/notification-definitions.ts'
import { backdated } from './backdated.ts'
import { daysFrom } from './days.ts'
import type { NotifiedEvent } from './school-transaction.ts'

const DAYS = 14

/** Writes the in-app notifications of the last two weeks, each at the time of its event. Nothing is mailed or pushed. */
export async function notifyMembers(database: Database, notified: readonly NotifiedEvent[], now: Date): Promise<void> {
  const since = daysFrom(now, -DAYS)
  const recent = notified.filter(({ event }) => event.happenedAt === undefined || new Date(event.happenedAt) >= since)
  const sources = { database, clock: () => now }
  const found = await Promise.all(
    recent.map(async ({ key, event }) => {
      const notification = await notificationDefinitions[event.kind](sources, event)
      return notification && { key, event, message: notification.message, audience: await notification.audience() }
    }),
  )
  await inTransaction(database, sources.clock, async (tx) => {
    const clock = backdated(tx)
    for (const { key, event, message, audience } of found.filter((one) => one !== null)) {
      const db = clock.db(atOf(event, now))
      await deliverToAudience({ ...tx, db, enqueue: () => key }, key, event, message, { ...audience, guestIds: [] })
    }
  })
}

function atOf({ happenedAt }: NotifiedEvent['event'], now: Date): Date {
  return happenedAt === undefined ? now : new Date(happenedAt)
}
