import { createWebhook } from '../../../shared/communication/webhooks/put-webhook.ts'
import { openDatabase } from '../../../shared/composition/entities.ts'
import { openStorage } from '../../../shared/platform/adapters/storage/open-storage.ts'
import { createConnectionSecrets } from '../../../shared/platform/adapters/tokens/connection-secrets.ts'
import { createMailTokens } from '../../../shared/platform/adapters/tokens/mail-tokens.ts'
import { type Config, required } from '../../../shared/platform/config/config.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { publicEventKinds } from '../../../shared/platform/events/event-kinds.ts'
import { systemClock } from '../../../shared/platform/kernel/clock.ts'
import { fillWeek, type MeterMap } from './fill-week.ts'
import { foundSchool } from './found-school.ts'
import { filePapers, postAnnouncements, storeFiles } from './papers.ts'
import { addMaintenance, fillPastWeeks } from './past-weeks.ts'
import { schoolTransaction } from './school-transaction.ts'

const DAY_MS = 86_400_000
const FOUNDED_DAYS_AGO = 60

/** Nobody reacts to what happened in the past. */
const nobody = new Set<never>()

/** Whether the database has the demo school, and which of its invoices are unpaid. */
export interface DemoSchoolStatus {
  there: boolean
  toPay: number[]
}

/**
 * Creates the demo school in a database without organizations: people, fleet, announcements, documents, a week of bookings
 * around today and the flights of the weeks before, in one transaction. External storage gets no documents. Its flights
 * are invoiced only when the payment gateway is the simulator.
 */
export async function ensureDemoSchool(
  config: Config,
  options: { invoices: boolean; receiverUrl: string },
): Promise<DemoSchoolStatus> {
  const database = await openDatabase({ url: required(config, 'DATABASE_URL'), poolSize: 2 })
  try {
    const organizations = await database.db.selectFrom('organization').select('demo').limit(1_000).execute()
    const there = organizations.some(({ demo }) => demo)
    if (there || organizations.length > 0 || config.DEMO_SCHOOL === 'off') return { there, toPay: [] }
    const keys = JSON.parse(required(config, 'AUTH_KEYS'))
    const mailTokens = createMailTokens(keys)
    const { own: store } = await openStorage(config, keys)
    const { result } = await inTransaction({ ...database, subscribed: nobody }, systemClock, async (tx) => {
      const school = schoolTransaction(tx)
      const founded = await foundSchool(school, mailTokens, new Date(tx.now.getTime() - FOUNDED_DAYS_AGO * DAY_MS))
      const meters: MeterMap = new Map()
      await fillPastWeeks(school, founded, tx.now, meters)
      const toPay = await fillWeek(school, founded, { now: tx.now, meters, ...options })
      await addMaintenance(school, founded, tx.now, meters)
      const { adam } = founded.actors
      const webhook = { url: options.receiverUrl, events: [...publicEventKinds] }
      await school.at(tx.now, (now) => createWebhook(now, adam, createConnectionSecrets(keys), webhook))
      await postAnnouncements(school, founded, tx.now)
      return { toPay, files: store ? await filePapers(school, founded, tx.now) : [] }
    })
    if (store) await storeFiles(store, result.files, systemClock())
    return { there: true, toPay: result.toPay }
  } finally {
    await database.close()
  }
}
