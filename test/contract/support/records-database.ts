import type { TestApp } from '../../support/app.ts'
import { copyDatabase } from '../../support/database.ts'
import { SECRET_KEY, startSimulator } from '../../support/stripe-simulator.ts'
import { startLoneApp } from './app.ts'
import { buildRecords, type Records } from './records.ts'

/** A database with the records of one school, to which nobody is connected. */
interface Built {
  database: string
  records: Records
}

let built: Promise<Built> | undefined

/**
 * Starts a lone API on a database of its own with the records of one school. They are built once in each process of
 * tests, by some hundred requests, and their database is copied. The payment simulator answers what a request asks it.
 */
export async function startOnRecords(): Promise<{ api: TestApp; records: Records }> {
  built ??= build()
  const { database, records } = await built
  const simulator = await startSimulator()
  const processor = { STRIPE_API_BASE: simulator.url, STRIPE_SECRET_KEY: SECRET_KEY }
  const api = await startLoneApp(await copyDatabase(database), processor)
  const close = async () => {
    await api.close()
    await simulator.close()
  }
  return { api: { ...api, close }, records: structuredClone(records) }
}

async function build(): Promise<Built> {
  const api = await startLoneApp()
  const records = await buildRecords(api)
  await api.close()
  return { database: new URL(api.config.DATABASE_URL ?? '').pathname.slice(1), records }
}
