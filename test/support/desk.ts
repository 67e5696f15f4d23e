import { sql } from 'kysely'
import type { Role } from '../../src/shared/platform/authz/roles.ts'
import type { UploadState } from '../../src/shared/platform/db/columns.ts'
import type { DocumentStatus } from '../../src/shared/qualification/documents/document.rules.ts'
import { NOW, type TestApp } from './app.ts'
import type { Member, School } from './builders.ts'

/** A document inserted directly into the database: it expires on November 30, 23:59 UTC. */
export interface PlainDocument {
  /** The owner; null for a document of the organization. */
  of: Member | null
  /** Whether the notice of its end was sent already, so that the schedule skips it. */
  told?: boolean
  /** What became of its file; `awaited` by default. */
  upload?: UploadState
  status?: DocumentStatus
}

/** Inserts a document without its bytes. */
export async function buildDocument(
  api: TestApp,
  school: School,
  { of, told = true, upload = 'awaited', status = 'pending' }: PlainDocument,
): Promise<number> {
  const { id } = await api.core.database.db
    .insertInto('document')
    .values({
      organization_id: school.organizationId,
      title: 'Medical',
      category: 'medical',
      membership_id: of?.orgUserId ?? null,
      expires_at: new Date('2026-11-30T23:59:59.999Z'),
      expiry_notified_days: told ? 14 : null,
      roles: sql`'[]'::jsonb`,
      form_opened_at: api.clock.now,
      file_name: 'medical.pdf',
      content_type: 'application/pdf',
      storage_key: `${school.organizationId}/${crypto.randomUUID()}.pdf`,
      uploaded_by: school.admin.orgUserId,
      upload,
      status,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** An announcement inserted directly into the database; its hours are relative to `NOW`. */
export interface PlainAnnouncement {
  /** The audience; by default everyone. */
  roles?: Role[]
  fromHour?: number
  toHour?: number
}

/** Inserts an announcement of the dispatcher's without notifications. */
export async function buildAnnouncement(api: TestApp, school: School, given: PlainAnnouncement): Promise<number> {
  const { roles = [], fromHour = 0, toHour } = given
  const { id } = await api.core.database.db
    .insertInto('announcement')
    .values({
      organization_id: school.organizationId,
      title: 'Ramp closed',
      body: 'On Friday.',
      roles: sql`${JSON.stringify(roles)}::jsonb`,
      publish_at: new Date(NOW.getTime() + fromHour * 3_600_000),
      expires_at: toHour === undefined ? null : new Date(NOW.getTime() + toHour * 3_600_000),
      author_id: school.dispatcher.orgUserId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
