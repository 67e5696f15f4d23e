import { readRecordKeys } from '../../../src/shared/composition/key-sets.ts'
import { openDatabase } from '../../../src/shared/composition/tables.ts'
import { openStorage } from '../../../src/shared/platform/adapters/storage/open-storage.ts'
import { type Config, required } from '../../../src/shared/platform/config/config.ts'
import { systemClock } from '../../../src/shared/platform/kernel/clock.ts'
import { buildDemoSchool } from './build-school.ts'
import { storeFiles } from './papers.ts'

/**
 * Whether the database has the demo school (`there`). `toPay`: the ids of the invoices to pay when the school was just
 * created, else empty.
 */
export interface DemoSchoolStatus {
  there: boolean
  toPay: number[]
}

/**
 * Returns whether to create the demo school. In production never: its password is public. Otherwise `DEMO_SCHOOL`
 * decides. When it is not set: only if both the database and the mail server are embedded, because a database or mail
 * server that the environment names may have real data.
 */
export function wantsDemoSchool(
  { DEMO_SCHOOL, DATABASE_URL, SMTP_URL }: Pick<Config, 'DEMO_SCHOOL' | 'DATABASE_URL' | 'SMTP_URL'>,
  mode: string | undefined,
): boolean {
  if (mode === 'production') return false
  if (DEMO_SCHOOL !== undefined) return DEMO_SCHOOL === 'on'
  return !DATABASE_URL && !SMTP_URL
}

/**
 * Creates the demo school if `wanted` and the database has no organization. Documents and files are added only when the
 * service stores files itself. `invoices`: whether flights are invoiced at the payment gateway; true only for the
 * simulator.
 */
export async function ensureDemoSchool(
  config: Config,
  options: { wanted: boolean; invoices: boolean; receiverUrl: string },
): Promise<DemoSchoolStatus> {
  const database = await openDatabase({
    url: required(config, 'DATABASE_URL'),
    poolSize: 2,
    recordKeys: readRecordKeys(config),
  })
  try {
    const organizations = await database.db.selectFrom('organization').select('demo').limit(1_000).execute()
    const there = organizations.some(({ demo }) => demo)
    if (there || organizations.length > 0 || !options.wanted) return { there, toPay: [] }
    const keys = JSON.parse(required(config, 'AUTH_KEYS'))
    const { own: store } = await openStorage(config, keys)
    const { invoices, receiverUrl } = options
    const parts = { database, clock: systemClock, keys, invoices, receiverUrl, files: Boolean(store) }
    const { toPay, files } = await buildDemoSchool(parts)
    if (store) await storeFiles(store, files, systemClock())
    return { there: true, toPay }
  } finally {
    await database.close()
  }
}
