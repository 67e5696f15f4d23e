import { openDatabase } from '../../../shared/composition/entities.ts'
import { createMailTokens } from '../../../shared/platform/adapters/tokens/mail-tokens.ts'
import { type Config, required } from '../../../shared/platform/config/config.ts'
import { inTransaction } from '../../../shared/platform/db/transaction.ts'
import { systemClock } from '../../../shared/platform/kernel/clock.ts'
import { fillWeek, type MeterMap } from './fill-week.ts'
import { foundSchool } from './found-school.ts'
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
 * Creates the demo school in a database without organizations: people, fleet, a week of bookings around today and the
 * flights of the weeks before, in one transaction. Its flights are invoiced only when the payment gateway is the simulator.
 */
export async function ensureDemoSchool(config: Config, options: { invoices: boolean }): Promise<DemoSchoolStatus> {
  const database = await openDatabase({ url: required(config, 'DATABASE_URL'), poolSize: 2 })
  try {
    const organizations = await database.db.selectFrom('organization').select('demo').limit(1_000).execute()
    const there = organizations.some(({ demo }) => demo)
    if (there || organizations.length > 0 || config.DEMO_SCHOOL === 'off') return { there, toPay: [] }
    const mailTokens = createMailTokens(JSON.parse(required(config, 'AUTH_KEYS')))
    const { result } = await inTransaction({ ...database, subscribed: nobody }, systemClock, async (tx) => {
      const school = schoolTransaction(tx)
      const founded = await foundSchool(school, mailTokens, new Date(tx.now.getTime() - FOUNDED_DAYS_AGO * DAY_MS))
      const meters: MeterMap = new Map()
      await fillPastWeeks(school, founded, tx.now, meters)
      const toPay = await fillWeek(school, founded, { now: tx.now, meters, ...options })
      await addMaintenance(school, founded, tx.now, meters)
      return toPay
    })
    return { there: true, toPay: result }
  } finally {
    await database.close()
  }
}
