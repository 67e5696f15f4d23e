import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import { PLANNED_AT_EACH_RUN } from '../../platform/db/auto-prepare.ts'
import { keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, oneOf, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { byPerson, byText, byValue, nameOf, orderOf, type Sort, type SortKeys } from '../../platform/db/sort-keys.ts'
import { type UnprovenReason, unprovenReason } from '../../qualification/endorsement-proof.queries.ts'
import { trainingErrors } from '../training.errors.ts'
import type { EndorsementParameters } from './catalog/endorsement-template.ts'

/** Filters the endorsements of an organization. */
export interface EndorsementFilter {
  ids?: readonly number[] | undefined
  orgUserIds?: readonly number[] | undefined
  enrollmentId?: number | undefined
  includeSuperseded: boolean
  signedBy?: readonly number[] | undefined
  /** The window of the signature. */
  start?: Date | undefined
  end?: Date | undefined
  /** The template codes in the edition of the endorsement, in upper or lower case. */
  codes?: readonly string[] | undefined
  expiringBefore?: Date | undefined
}

export interface EndorsementRow {
  id: number
  createdAt: Date
  updatedAt: Date
  person: PersonRow
  /** The member who had the endorsement before a merge; null without a merge. */
  mergedFrom: PersonRow | null
  enrollmentId: number | null
  templateCode: string | null
  templateEdition: string | null
  title: string
  renderedText: string
  expiresAt: Date | null
  signedAt: Date
  trainingAt: Date | null
  parameters: EndorsementParameters
  /** The signer: a member, or another person by `signerName`; both null when the endorsement is unsigned. */
  signedBy: PersonRow | null
  signerName: string | null
  recordedBy: PersonRow | null
  confirmedAt: Date | null
  disownedAt: Date | null
  documentId: number | null
  imported: boolean
  /** Why a signed endorsement counts for nothing; null when it counts until it is superseded or expires, or is unsigned. */
  unprovenReason: UnprovenReason | null
  signerCertificateNumber: string | null
  signerCertificateExpiry: Date | null
  supersedesId: number | null
  supersededById: number | null
  supersededAt: Date | null
}

function conditions(organizationId: number, filter: EndorsementFilter): RawBuilder<unknown> {
  const { ids, orgUserIds, enrollmentId, includeSuperseded, signedBy, start, end, codes, expiringBefore } = filter
  const all: RawBuilder<unknown>[] = [sql`d.organization_id = ${organizationId}`]
  if (ids !== undefined) all.push(sql`d.id in (${sql.join(ids)})`)
  if (orgUserIds) all.push(oneOf(sql`d.membership_id`, orgUserIds))
  if (enrollmentId !== undefined) all.push(sql`d.enrollment_id = ${enrollmentId}`)
  if (signedBy) all.push(sql`${oneOf(sql`d.signed_by`, signedBy)} ${PLANNED_AT_EACH_RUN}`)
  if (start !== undefined) all.push(sql`d.signed_at >= ${start} ${PLANNED_AT_EACH_RUN}`)
  if (end !== undefined) all.push(sql`d.signed_at < ${end} ${PLANNED_AT_EACH_RUN}`)
  if (codes)
    all.push(
      oneOf(
        sql`d.template_code`,
        codes.map((code) => code.toUpperCase()),
      ),
    )
  if (expiringBefore !== undefined) all.push(sql`d.expires_at < ${expiringBefore} ${PLANNED_AT_EACH_RUN}`)
  if (!includeSuperseded) all.push(sql`d.superseded_at is null`)
  return sql.join(all, sql` and `)
}

/** The sort keys of endorsements, over the alias `d`. */
export const endorsementSortKeys: SortKeys = {
  id: byValue('d.id'),
  orgUserId: byValue('d.membership_id'),
  ...byPerson('person', 'd.membership_id'),
  ...byPerson('mergedFrom', 'd.merged_from'),
  enrollmentId: byValue('d.enrollment_id'),
  templateCode: byText('d.template_code'),
  templateEdition: byText('d.template_edition'),
  title: byText('d.title'),
  renderedText: byText('d.rendered_text'),
  expiresAt: byValue('d.expires_at'),
  signedAt: byValue('d.signed_at'),
  trainingAt: sql`coalesce(d.training_at, d.signed_at)`,
  edition: byText('d.template_edition'),
  'signedBy.orgUserId': byValue('d.signed_by'),
  'signedBy.name': byText(sql`coalesce(d.signer_name, ${nameOf(sql.ref('d.signed_by'))})`),
  'signedBy.certificateNumber': byText(
    sql`case when d.signed_by is not null or d.signer_name is not null then d.signer_certificate_number end`,
  ),
  unsigned: sql`(d.signed_by is null and d.signer_name is null)`,
  ...byPerson('recordedBy', sql`coalesce(d.recorded_by, d.signed_by)`),
  confirmedAt: byValue('d.confirmed_at'),
  disownedAt: byValue('d.disowned_at'),
  documentId: byValue('d.document_id'),
  unproven: sql`(${unprovenReason('d')} is not null)`,
  unprovenReason: byText(unprovenReason('d')),
  signerCertificateNumber: byText('d.signer_certificate_number'),
  signerCertificateExpiry: byValue('d.signer_certificate_expiry'),
  imported: byValue('d.imported'),
  supersedesId: byValue('d.supersedes_id'),
  supersededById: byValue('d.superseded_by_id'),
  supersededAt: byValue('d.superseded_at'),
  createdAt: byValue('d.created_at'),
  updatedAt: byValue('d.updated_at'),
}

const newestFirst = keyset('desc', ['d.created_at', 'd.id'])

/**
 * Returns the endorsements that match a filter as a list source, newest first or sorted.
 * Implements interface §Training: GET /training/endorsements.
 */
export function listEndorsements(source: Source, organizationId: number, filter: EndorsementFilter) {
  const where = conditions(organizationId, filter)
  return {
    sortsBy: () => true,
    slice: (offset: number, limit: number, sort?: Sort) => readEndorsements(source, { where, offset, limit, sort }),
    following: (after: Position | null, limit: number) =>
      readEndorsements(source, { where: sql`${where} and ${newestFirst.after(after)}`, limit }),
    count: (most: number) => countUpTo(source, sql`endorsement d where ${where} order by ${newestFirst.order}`, most),
  }
}

interface EndorsementPage {
  where: RawBuilder<unknown>
  limit: number
  offset?: number
  sort?: Sort | undefined
}

/** Returns a page. The limit applies before the person lookups, so that they run only for the rows of the page. */
function readEndorsements(source: Source, page: EndorsementPage): Promise<Placed<EndorsementRow>[]> {
  const { where, limit, offset = 0, sort } = page
  const by = sort && orderOf(endorsementSortKeys, sort)
  const order = by ? sql`${by}, ${newestFirst.order}` : newestFirst.order
  return readRows(
    source,
    sql<Placed<EndorsementRow>>`
        select d.id, ${newestFirst.position} as "cursorPosition", d.created_at as "createdAt", d.updated_at as "updatedAt", ${personJson('d.membership_id')} as person,
          ${personJson<PersonRow | null>('d.merged_from')} as "mergedFrom",
          d.enrollment_id as "enrollmentId", d.template_code as "templateCode",
          d.template_edition as "templateEdition", d.title, d.rendered_text as "renderedText",
          d.expires_at as "expiresAt", d.signed_at as "signedAt", d.training_at as "trainingAt", d.parameters,
          ${personJson<PersonRow | null>('d.signed_by')} as "signedBy", d.signer_name as "signerName",
          ${personJson<PersonRow | null>('d.recorded_by')} as "recordedBy", d.confirmed_at as "confirmedAt",
          d.disowned_at as "disownedAt", d.document_id as "documentId", d.imported, ${unprovenReason('d')} as "unprovenReason",
          d.signer_certificate_number as "signerCertificateNumber",
          d.signer_certificate_expiry as "signerCertificateExpiry", d.supersedes_id as "supersedesId",
          d.superseded_by_id as "supersededById", d.superseded_at as "supersededAt"
        from (select * from endorsement d where ${where} order by ${order} ${pageLimit(limit, offset)}) d
        order by ${order}`,
  )
}

/** Returns the newest 1,000 endorsements of one enrollment, superseded ones included, newest first. */
export function findEndorsementsOf(source: Source, organizationId: number, enrollmentId: number) {
  const all = listEndorsements(source, organizationId, { enrollmentId, includeSuperseded: true })
  return all.slice(0, 1000)
}

/** Returns the endorsements with these ids, in the order of their ids. Unknown ids are left out. */
export async function findEndorsements(source: Source, organizationId: number, ids: readonly number[]) {
  const rows = await listEndorsements(source, organizationId, { ids, includeSuperseded: true }).slice(0, ids.length)
  return rows.sort((a, b) => a.id - b.id)
}

/** Returns one endorsement. */
export async function findEndorsement(source: Source, organizationId: number, id: number): Promise<EndorsementRow> {
  const [row] = await findEndorsements(source, organizationId, [id])
  if (!row) throw trainingErrors.noSuchEndorsement()
  return row
}
