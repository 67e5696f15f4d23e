import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seal } from '../../platform/seals/seal.ts'
import {
  type CertificateOf,
  findCertificate,
  findStudentOf,
  type IssuedCertificate,
  nextCertificateNumber,
} from './certificate.queries.ts'

/**
 * Issues a certificate: takes the next number of its organization and kind, and stores the PDF that `draw` returns for
 * it. The certificates of an organization are issued one at a time, so that the numbers have no gaps. A certificate
 * that is already issued is returned unchanged. Implements 14 CFR 141.93(a)(1) and 141.95.
 */
export async function issueCertificate(
  tx: Tx,
  actor: Actor,
  of: CertificateOf,
  draw: (number: number) => Promise<Buffer>,
): Promise<IssuedCertificate> {
  await tx.em.flush()
  const number = await nextCertificateNumber(tx.db, of)
  const issued = await findCertificate(tx.db, of)
  if (issued) return issued
  const pdf = await draw(number)
  const { organizationId: organization_id, enrollmentId: enrollment_id, kind } = of
  const { id } = await tx.db
    .insertInto('training_certificate')
    .values({ organization_id, enrollment_id, kind, number, pdf })
    .returning('id')
    .executeTakeFirstOrThrow()
  seal(tx, actor, 'certificate.issued', { id, of: await findStudentOf(tx.db, of) })
  return { number, pdf }
}
