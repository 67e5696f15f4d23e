import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { listEndorsements } from '../../../shared/training/endorsements/endorsement.queries.ts'
import { CURRENT_EDITION } from '../../../shared/training/endorsements/endorsement-templates.ts'
import { listPacketDocuments } from '../../../shared/training/readiness/packet-documents.queries.ts'
import { findReadableReadiness } from '../../../shared/training/readiness/readiness.access.ts'
import { judgeReadiness } from '../../../shared/training/readiness/readiness.rules.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { findStatusSheet } from '../../fleet/maintenance/status-facts.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { queryWords } from '../../http/schemas.ts'
import { recordRead } from '../../identity/profiles/audited-reading.ts'
import { appendFiles } from '../../pdf/append-files.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import { findEnrollmentFile } from '../enrollments/enrollment-detail.ts'
import { findSchool } from '../enrollments/issued-certificates.ts'
import { EnrollmentParams } from '../training.schemas.ts'
import { type Appended, openAppendices } from './packet-appendices.ts'
import { packetSheet } from './pdf/packet-sheet.ts'
import { renderPacket } from './pdf/render-packet.ts'
import { findJudgedFacts, ReadinessQuery } from './readiness.routes.ts'
import { readinessView } from './readiness.view.ts'

/** The most endorsements of a packet. */
const MOST = 200

const PacketQuery = ReadinessQuery.extend({
  include: queryWords(['documents']).default([]).describe('`documents`: appends those that the student allows'),
})

const none: Appended = { titles: [], failed: [], pages: [] }

/** The endpoint of the packet for a practical test. Implements interface §28.3. */
export const packetRoutes: Routes = (on) => {
  on.get('/training/enrollments/:enrollmentId/packet', {
    id: 'readPacket',
    access: 'member',
    tag: 'Training',
    summary: 'Read the packet for a practical test as a PDF',
    description:
      'The readiness (14 CFR 61.39) on the first page, then the evidence, the hours, the endorsements, the tests, the training record and ' +
      'the status of the aircraft. Allowed for those who see the items.',
    params: EnrollmentParams,
    query: PacketQuery,
    answers: { 200: null },
    formats: ['pdf'],
    errors: [
      trainingErrors.noSuchEnrollment,
      trainingErrors.notYourTraining,
      trainingErrors.testTooFar,
      trainingErrors.documentNotShared,
      platformErrors.pdfsUnderWay,
    ],
    read: async ({ now, params, query, ...call }) => {
      const { db, actor } = call
      const { enrollment, view } = await findReadableReadiness(db, actor, params.enrollmentId, now)
      if (!view.items) throw trainingErrors.notYourTraining()
      const { organizationId } = actor
      const { id, student, plannedResourceId } = enrollment
      const theirs = { orgUserIds: [student.orgUserId], includeSuperseded: false }
      const [{ facts, hours }, file, endorsements, status, school] = await Promise.all([
        findJudgedFacts(db, actor, enrollment, { asked: query.at, now, withHours: true }),
        findEnrollmentFile(db, actor, now, id),
        listEndorsements(db, organizationId, theirs).slice(0, MOST),
        plannedResourceId === null ? null : findStatusSheet(db, actor, plannedResourceId, now),
        findSchool(db, actor),
      ])
      const asked = query.include.includes('documents')
      const documents = asked ? await listPacketDocuments(db, organizationId, id, now) : []
      if (asked && documents.length === 0) throw trainingErrors.documentNotShared()
      const readiness = readinessView(judgeReadiness(facts), { view, hours, now, edition: CURRENT_EDITION })
      const { experience } = facts
      const paper = await makeLimited({ ...call }, async () => {
        const appended = documents.length > 0 ? await openAppendices(call.services.storage, documents) : none
        const sheet = packetSheet({ file, readiness, experience, endorsements, status, school, appended, now })
        return appendFiles(await renderPacket(sheet, now), appended.pages, `A document of the student · ${sheet.note}`)
      })
      if (student.orgUserId !== actor.orgUserId) {
        await recordRead(call, actor, { kind: 'packet.read', orgUserId: student.orgUserId })
      }
      return fileAnswer(paper, 'pdf', { name: `packet-${id}`, shown: true })
    },
  })
}
