import type { InferKyselyDB } from '@mikro-orm/sql'
import * as fees from '../billing/fees.tables.ts'
import * as gatewayEvents from '../billing/gateway-events.tables.ts'
import * as invoices from '../billing/invoices.tables.ts'
import * as ledger from '../billing/ledger.tables.ts'
import * as packages from '../billing/packages.tables.ts'
import * as payRuns from '../billing/pay-runs.tables.ts'
import * as communication from '../communication/communication.tables.ts'
import * as webhooks from '../communication/webhooks.tables.ts'
import * as dispatch from '../dispatch/dispatch.tables.ts'
import * as fleet from '../fleet/fleet.tables.ts'
import * as accounts from '../identity/accounts.tables.ts'
import * as members from '../identity/members.tables.ts'
import * as organizations from '../identity/organizations.tables.ts'
import * as insight from '../insight/insight.tables.ts'
import { connectDatabase, type Database, type DatabaseOptions } from '../platform/db/database.ts'
import { type Table, tableOf } from '../platform/db/declare-table.ts'
import { subscribedKinds } from '../platform/events/fan-out.ts'
import * as platform from '../platform/platform.tables.ts'
import * as seals from '../platform/seals.tables.ts'
import * as portability from '../portability/portability.tables.ts'
import * as qualification from '../qualification/qualification.tables.ts'
import * as bookingRequests from '../scheduling/booking-requests.tables.ts'
import * as recoveries from '../scheduling/recoveries.tables.ts'
import * as reservations from '../scheduling/reservations.tables.ts'
import * as waitlist from '../scheduling/waitlist.tables.ts'
import * as weather from '../scheduling/weather.tables.ts'
import * as courses from '../training/courses.tables.ts'
import * as endorsements from '../training/endorsements.tables.ts'
import * as enrollments from '../training/enrollments.tables.ts'
import { subscriptions } from './subscriptions.ts'

/**
 * The files that declare tables, by context. The tables of a new file exist for the service once the file is listed
 * here.
 */
const files = {
  platform: [platform, seals],
  identity: [organizations, accounts, members],
  communication: [communication, webhooks],
  fleet: [fleet],
  qualification: [qualification],
  scheduling: [weather, reservations, bookingRequests, waitlist, recoveries],
  dispatch: [dispatch],
  billing: [ledger, gatewayEvents, invoices, packages, payRuns, fees],
  training: [courses, enrollments, endorsements],
  insight: [insight],
  portability: [portability],
} as const

type File = (typeof files)[keyof typeof files][number]
type Exported<Of> = Of extends unknown ? Of[keyof Of] : never
type Entity = Extract<Exported<File>, { readonly '~entity': unknown }>

function entitiesOf(some: readonly File[]): Entity[] {
  return some.flatMap(
    (file) => Object.values<unknown>(file).filter((value) => tableOf(value) !== undefined) as Entity[],
  )
}

/** The tables of each context with their facts, in the order of the contexts. */
export const tablesByContext: readonly { context: string; tables: readonly Table[] }[] = Object.entries(files).map(
  ([context, some]) => ({ context, tables: entitiesOf(some).flatMap((entity) => tableOf(entity) ?? []) }),
)

/** Every table with its facts. */
export const tables: readonly Table[] = tablesByContext.flatMap((context) => context.tables)

const entities = Object.values(files).flatMap(entitiesOf)

declare module '../platform/db/database.ts' {
  interface Tables extends InferKyselyDB<Entity> {}
}

/** Creates the connection pool and the ORM with all entities. No connection is opened before the first statement. */
export function openDatabase(options: Omit<DatabaseOptions, 'entities' | 'subscribed'>): Promise<Database> {
  return connectDatabase({ ...options, entities, subscribed: subscribedKinds(subscriptions) })
}
