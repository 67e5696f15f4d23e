import { z } from 'zod'
import { findFilesOf, type ResourceFileRow } from '../../../shared/fleet/resources/resource-file.queries.ts'
import type { Call } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { Id, Instant } from '../../http/schemas.ts'
import { fileFields, fileView, linkTo } from '../../platform/storage/signed-files.ts'

/** A file of a squawk or of completed maintenance. */
export const MaintenanceFile = z
  .object({
    id: Id,
    label: z.string().nullable(),
    ...fileFields,
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'MaintenanceFile' })

type File = z.input<typeof MaintenanceFile>
type Context = Pick<Call<'member'>, 'db' | 'actor' | 'services' | 'now'>

/** Returns a file with its link. */
export async function maintenanceFileView(
  row: ResourceFileRow,
  { services, now }: Pick<Context, 'services' | 'now'>,
): Promise<File> {
  return {
    id: row.id,
    label: row.label,
    ...fileView(row),
    url: await linkTo(row, services.storage, now),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

/** Returns the files of squawks or of completions, with their links, by the id of the squawk or completion. */
export async function filesOf(
  call: Context,
  subject: 'squawk_id' | 'completion_id',
  ids: readonly number[],
): Promise<Map<number, File[]>> {
  const files = new Map(ids.map((id): [number, File[]] => [id, []]))
  for (const row of await findFilesOf(call.db, call.actor.organizationId, subject, ids)) {
    files.get(row[subject] ?? 0)?.push(await maintenanceFileView(row, call))
  }
  return files
}
