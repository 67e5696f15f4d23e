import { z } from 'zod'
import {
  listPacketDocuments,
  type PacketDocumentRow,
} from '../../../shared/training/readiness/packet-documents.queries.ts'
import { findReadableReadiness } from '../../../shared/training/readiness/readiness.access.ts'
import { replacePacketDocuments } from '../../../shared/training/readiness/replace-packet-documents.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { iso } from '../../http/iso.ts'
import { envelope, Id, Instant, InstantInput } from '../../http/schemas.ts'
import { EnrollmentParams } from '../training.schemas.ts'

/** The most documents of a packet. */
const MOST = 10

const PacketDocument = z.object({ documentId: Id, title: z.string(), until: Instant }).meta({ id: 'PacketDocument' })

const packetDocumentView = ({ document_id, title, until }: PacketDocumentRow): z.input<typeof PacketDocument> => ({
  documentId: document_id,
  title,
  until: iso(until),
})

/** The endpoints of the documents that a student allows in the packet. Implements interface §28.3. */
export const packetDocumentRoutes: Routes = (on) => {
  on.get('/training/enrollments/:enrollmentId/packetDocuments', {
    id: 'listPacketDocuments',
    access: 'member',
    tag: 'Training',
    summary: 'List the documents that a student allows in the packet',
    description:
      'Computed for each request, without list parameters. For the packet of the practical test (14 CFR 61.39); allowed for those who may read it.',
    params: EnrollmentParams,
    answers: { 200: envelope(z.array(PacketDocument)) },
    errors: [trainingErrors.noSuchEnrollment, trainingErrors.notYourTraining],
    read: async ({ db, actor, now, params }) => {
      const { view } = await findReadableReadiness(db, actor, params.enrollmentId, now)
      if (!view.items) throw trainingErrors.notYourTraining()
      const rows = await listPacketDocuments(db, actor.organizationId, params.enrollmentId, now)
      return ok(rows.map(packetDocumentView))
    },
  })

  on.put('/training/enrollments/:enrollmentId/packetDocuments', {
    id: 'replacePacketDocuments',
    access: 'member',
    tag: 'Training',
    summary: 'Allow documents in the packet',
    description:
      'For the packet of the practical test (14 CFR 61.39). Allowed for the student alone, each document for at most 30 days; no proof of identity.',
    params: EnrollmentParams,
    body: z.object({ documents: z.array(z.object({ documentId: Id, until: InstantInput })).max(MOST) }),
    answers: { 200: envelope(z.array(PacketDocument)) },
    errors: [
      trainingErrors.noSuchEnrollment,
      trainingErrors.notYourTraining,
      trainingErrors.documentNotYours,
      trainingErrors.documentNeverShared,
      trainingErrors.sharedTooLong,
    ],
    write: (tx, { actor, params, body }) => replacePacketDocuments(tx, actor, params.enrollmentId, body.documents),
    answer: async ({ id }, { db, actor, now }) =>
      ok((await listPacketDocuments(db, actor.organizationId, id, now)).map(packetDocumentView)),
  })
}
