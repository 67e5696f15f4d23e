import { findUndone } from '../../../shared/fleet/maintenance/completion.queries.ts'
import { findMaintenanceItemsOf } from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import { listMeterChanges } from '../../../shared/fleet/maintenance/meter-change.queries.ts'
import { listSquawks } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import { findResource } from '../../../shared/fleet/resources/resource.queries.ts'
import { readableVisibilities } from '../../../shared/fleet/resources/resource.rules.ts'
import { listFiles } from '../../../shared/fleet/resources/resource-file.queries.ts'
import { findOrganization } from '../../../shared/identity/organizations/organization.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { localDate, minuteOfDay } from '../../../shared/platform/kernel/zones.ts'
import { minuteInWords } from '../../../shared/scheduling/rules/wording.rules.ts'
import { type StatusSheet, statusSheet } from './status-sheet.ts'

const unresolved = ['open', 'in_progress', 'deferred'] as const
/** The most squawks, files and undone completions that are read for a status sheet. */
const MOST = 500

/** Returns the status sheet of an aircraft with the documents that the reader may see, and its local time in words. */
export async function findStatusSheet(
  db: Db,
  { organizationId, roles }: Actor,
  id: number,
  now: Date,
): Promise<{ sheet: StatusSheet; printed: string }> {
  const resource = await findResource(db, organizationId, id)
  const [{ name, details }, items, squawks, files, meterChanges, undone] = await Promise.all([
    findOrganization(db, organizationId),
    findMaintenanceItemsOf(db, organizationId, id),
    listSquawks(db, organizationId, { resourceIds: [id], statuses: unresolved }).slice(0, MOST),
    listFiles(db, organizationId, id, readableVisibilities(roles)).slice(0, MOST),
    listMeterChanges(db, organizationId, id),
    findUndone(db, organizationId, id, MOST),
  ])
  const school = { school: name, country: details.address.country ?? null }
  const zone = resource.location_zone
  return {
    sheet: statusSheet({ ...school, resource, items, squawks, files, meterChanges, undone }, now),
    printed: `${localDate(now, zone)} ${minuteInWords(minuteOfDay(now, zone))} (${zone})`,
  }
}
