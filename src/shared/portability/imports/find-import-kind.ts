import { portabilityErrors } from '../portability.errors.ts'
import type { ImportKind } from './import.types.ts'
import { importApprovals } from './put-approvals.ts'
import { importBalances } from './put-balances.ts'
import { importCourses } from './put-courses.ts'
import { importCurrencies } from './put-currencies.ts'
import { importCurrencyRecords } from './put-currency-records.ts'
import { importEndorsements } from './put-endorsements.ts'
import { importEnrollments } from './put-enrollments.ts'
import { importLocations } from './put-locations.ts'
import { importMembers } from './put-members.ts'
import { importReminders } from './put-reminders.ts'
import { importReservations } from './put-reservations.ts'
import { importResources } from './put-resources.ts'

/**
 * The kinds of imports, in the order in which a school arrives: each refers to those before it.
 */
export const importKinds = {
  locations: importLocations,
  resources: importResources,
  currencies: importCurrencies,
  members: importMembers,
  approvals: importApprovals,
  currency_records: importCurrencyRecords,
  reminders: importReminders,
  balances: importBalances,
  endorsements: importEndorsements,
  courses: importCourses,
  enrollments: importEnrollments,
  reservations: importReservations,
} as const satisfies Record<string, ImportKind>

export type ImportKindName = keyof typeof importKinds

export const importKindNames = Object.keys(importKinds) as [ImportKindName, ...ImportKindName[]]

/** Returns the kind of an import that was started; its name was checked then. */
export function kindOf(name: string): ImportKind {
  return importKinds[name as ImportKindName]
}

/** Returns the header and an example row of a kind of import. */
export function templateOf(name: string): [string[], string[]] {
  if (!Object.hasOwn(importKinds, name)) {
    throw portabilityErrors.noSuchTemplate({ kinds: importKindNames.join(', ') })
  }
  const columns = Object.entries(kindOf(name).columns)
  return [columns.map(([column]) => column), columns.map(([, { example }]) => example)]
}
