import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { CertificateKind } from './certificate.rules.ts'

/** The key of a certificate: an enrollment has at most one of each kind. */
export interface CertificateOf {
  organizationId: number
  enrollmentId: number
  kind: CertificateKind
}

/** An issued certificate: its number and its stored PDF. */
export interface IssuedCertificate {
  number: number
  pdf: Buffer
}

/** Returns an issued certificate; null before it is issued. */
export async function findCertificate(db: Db, of: CertificateOf): Promise<IssuedCertificate | null> {
  const row = await db
    .selectFrom('training_certificate')
    .select(['number', 'pdf'])
    .where('organization_id', '=', of.organizationId)
    .where('enrollment_id', '=', of.enrollmentId)
    .where('kind', '=', of.kind)
    .executeTakeFirst()
  return row ? { number: row.number, pdf: Buffer.from(row.pdf) } : null
}

/** Returns the student of an enrollment. */
export async function findStudentOf(db: Db, of: CertificateOf): Promise<number> {
  const row = await db
    .selectFrom('enrollment')
    .select('membership_id')
    .where('organization_id', '=', of.organizationId)
    .where('id', '=', of.enrollmentId)
    .executeTakeFirstOrThrow()
  return row.membership_id
}

/** Returns the certificates of an enrollment without their PDFs, oldest first. */
export async function findCertificatesOf(db: Db, organizationId: number, enrollmentId: number) {
  const rows = await db
    .selectFrom('training_certificate')
    .select(['kind', 'number', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('enrollment_id', '=', enrollmentId)
    .orderBy('id')
    .execute()
  return rows.map(({ kind, number, created_at: issuedAt }) => ({ kind, number, issuedAt }))
}

const CERTIFICATES_LOCK = sql`hashtext('training certificates')`

/**
 * Returns the next number of an organization and kind. It takes an advisory lock until the commit, so that no other
 * transaction gets the same number.
 */
export async function nextCertificateNumber(
  db: Db,
  { organizationId, kind }: Pick<CertificateOf, 'organizationId' | 'kind'>,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(${CERTIFICATES_LOCK}, ${organizationId}::integer)`.execute(db)
  const row = await db
    .selectFrom('training_certificate')
    .select((eb) => eb.fn.max('number').as('last'))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}
