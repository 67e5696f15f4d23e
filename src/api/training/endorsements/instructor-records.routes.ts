import { z } from 'zod'
import { findOrgUser } from '../../../shared/identity/members/org-user.queries.ts'
import { findOrganization } from '../../../shared/identity/organizations/organization.queries.ts'
import { csvLines } from '../../../shared/insight/reports/write-csv-lines.ts'
import { is } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import {
  findInstructorRecords,
  listInstructorRecords,
} from '../../../shared/training/endorsements/instructor-records.queries.ts'
import { holds } from '../../../shared/training/grants/grant.access.ts'
import { page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, PathId } from '../../http/schemas.ts'
import { openWindow, windowOf } from '../../http/windows.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import {
  InstructorRecord,
  instructorRecordView,
  recordCells,
  recordColumns,
  renderInstructorRecords,
} from './instructor-records.view.ts'

/** The name of the file. */
const name = 'instructor-records'

const InstructorRecordsQuery = ListQuery.extend({
  ...openWindow,
})

export const instructorRecordRoutes: Routes = (on) => {
  on.get('/training/instructors/:orgUserId/records', {
    id: 'readInstructorRecords',
    access: 'member',
    tag: 'Training',
    summary: 'Read an instructor’s record of endorsements for solo flight and tests',
    description:
      'Lists the endorsements that an instructor signed or confirmed for solo flight, knowledge tests and ' +
      'practical tests, earliest first, including superseded ones. CSV and PDF have all of them. It is the record that 14 ' +
      'CFR 61.189(b) requires an instructor to keep for 3 years. Allowed for that instructor, admins, and holders ' +
      'of the grant `auditor`.',
    params: z.object({ orgUserId: PathId }),
    query: InstructorRecordsQuery,
    answers: { 200: envelope(z.array(InstructorRecord)) },
    formats: ['json', 'csv', 'pdf'],
    errors: [
      [platformErrors.notAllowed, 'neither that instructor, nor an admin or auditor'],
      platformErrors.pdfsUnderWay,
    ],
    read: async ({ now, params, query, ...call }) => {
      const { db, actor, format } = call
      const { organizationId, organization } = actor
      const instructor = await findOrgUser(db, organizationId, params.orgUserId)
      const own = params.orgUserId === actor.orgUserId
      if (!own && !is(actor, admins) && !(await holds(db, actor, ['auditor']))) throw platformErrors.notAllowed()
      const zone = organization.timeZoneName
      const scope = { orgUserId: params.orgUserId, window: windowOf(query, actor) }
      if (format !== 'csv' && format !== 'pdf') {
        return page(await listPage(listInstructorRecords(db, organizationId, scope), query, instructorRecordView))
      }
      const rows = await findInstructorRecords(db, organizationId, scope)
      if (format === 'csv') {
        const lines = rows.map((row) => Object.values(recordCells(row, zone)))
        return fileAnswer(csvLines([recordColumns, ...lines], { bom: true }), 'csv', { name })
      }
      const { name: school, details } = await findOrganization(db, organizationId)
      const about = { instructor: instructor.name, school, country: details.address.country ?? null, zone }
      const paper = await makeLimited(call, () => renderInstructorRecords(rows, about, now))
      return fileAnswer(paper, 'pdf', { name })
    },
  })
}
