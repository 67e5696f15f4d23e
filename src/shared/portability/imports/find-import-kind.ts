import { portabilityErrors } from '../portability.errors.ts'
import type { ImportKind } from './import.types.ts'
import { importApprovals } from './write-approvals.ts'
import { importBalances } from './write-balances.ts'
import { importCourses } from './write-courses.ts'
import { importCurrencies } from './write-currencies.ts'
import { importCurrencyRecords } from './write-currency-records.ts'
import { importEndorsements } from './write-endorsements.ts'
import { importEnrollments } from './write-enrollments.ts'
import { importLocations } from './write-locations.ts'
import { importMembers } from './write-members.ts'
import { importReminders } from './write-reminders.ts'
import { importReservations } from './write-reservations.ts'
import { importResources } from './write-resources.ts'

/** The kinds of imports, in the order in which a school imports them: each refers only to kinds before it. */
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

/** Returns the kind of an import that was started. Its name was checked at the start, so the kind exists. */
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
