import { findOrganization } from '../../../shared/identity/organizations/organization.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { inTransaction, type Tx } from '../../../shared/platform/db/transaction.ts'
import { findCertificate, type IssuedCertificate } from '../../../shared/training/enrollments/certificate.queries.ts'
import type { CertificateKind } from '../../../shared/training/enrollments/certificate.rules.ts'
import { issueCertificate } from '../../../shared/training/enrollments/issue-certificate.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { type Call, originOf } from '../../http/endpoint.ts'
import { enrollmentCertificate, graduationCertificate, renderCertificate } from './certificates.ts'
import { findEnrollmentFile, findReadableEnrollment } from './enrollment-detail.ts'

/** Issues a certificate of an enrollment, with the names and figures of this moment, and returns it. */
export async function issueNow(
  tx: Tx,
  actor: Actor,
  { enrollmentId, kind }: { enrollmentId: number; kind: CertificateKind },
): Promise<IssuedCertificate> {
  const { organizationId } = actor
  return issueCertificate(tx, actor, { organizationId, enrollmentId, kind }, async (number) => {
    const file = await findEnrollmentFile(tx.db, actor, tx.now, enrollmentId)
    const school = await findSchool(tx.db, actor)
    const sheet = (kind === 'enrollment' ? enrollmentCertificate : graduationCertificate)(file, school, number)
    return renderCertificate(sheet, school, tx.now)
  })
}

/**
 * Returns the PDF of a certificate as it was issued. Part 141 certificates are issued on enrollment and graduation.
 * Other certificates, and those of enrollments that are older than the storage of certificates, are issued at the first
 * request.
 */
export async function readCertificate(
  { db, actor, services, request }: Pick<Call<'member'>, 'db' | 'actor' | 'services' | 'request'>,
  enrollmentId: number,
  kind: CertificateKind,
): Promise<Buffer> {
  const { status } = await findReadableEnrollment(db, actor, enrollmentId)
  if (kind === 'graduation' && status !== 'graduated') throw trainingErrors.notGraduated()
  const issued = await findCertificate(db, { organizationId: actor.organizationId, enrollmentId, kind })
  if (issued) return issued.pdf
  const { database, clock } = services
  const issue = (tx: Tx) => issueNow(tx, actor, { enrollmentId, kind })
  const { result } = await inTransaction(database, clock, issue, originOf(request))
  return result.pdf
}

/** Returns the facts of the school for its documents: name, zone, certificate number, country. */
export async function findSchool(db: Db, actor: Actor) {
  const { name, details, time_zone_name: zone } = await findOrganization(db, actor.organizationId)
  const number = actor.organization.settings.airAgencyCertificate
  return { name, zone, number, country: details.address.country ?? null }
}
