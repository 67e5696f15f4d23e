import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { readsAllRecords } from '../../../shared/training/grants/grant.access.ts'
import { findTest, listTests } from '../../../shared/training/knowledge-tests/training-test.queries.ts'
import { changeTest, recordTest } from '../../../shared/training/records/add-test-result.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope, membersOf } from '../../http/schemas.ts'
import { TrainingTest, testView } from './test.view.ts'
import { TestBody, TestParams, TestPatch, TestQuery } from './tests.schemas.ts'

const tag = 'Training'
const whoWrites =
  'Allowed for instructors, admins, and holders of the grant `manageEnrollment`, but not for their own tests.'

async function viewTest({ id }: { id: number }, { db, actor }: { db: Db; actor: Actor }) {
  return testView(await findTest(db, actor.organizationId, id), actor.organization.timeZoneName)
}

export const testRoutes: Routes = (on) => {
  on.get('/training/tests', {
    id: 'listTests',
    access: 'member',
    tag,
    summary: 'List the tests of students',
    description:
      'Lists the knowledge, practical, stage and end-of-course tests, latest first. Instructors, admins and holders ' +
      'of the grant `manageEnrollment` or `auditor` see all tests; other members see only their own, and ' +
      '`orgUserId` is ignored for them. `validUntil` of a knowledge test follows 14 CFR 61.39(a)(1), (b).',
    query: TestQuery,
    answers: { 200: envelope(z.array(TrainingTest)) },
    read: async ({ db, actor, query }) => {
      const { enrollmentId: enrollmentIds, kind: kinds } = query
      const all = await readsAllRecords(db, actor)
      const orgUserIds = membersOf(all ? query.orgUserId : ['me'], actor)
      const tests = listTests(db, actor.organizationId, { orgUserIds, enrollmentIds, kinds })
      return page(await listPage(tests, query, (row) => testView(row, actor.organization.timeZoneName)))
    },
  })

  on.post('/training/tests', {
    id: 'recordTest',
    access: 'member',
    tag,
    summary: 'Record a test',
    description:
      'Records a test of an enrollment, or of a member without an enrollment. The names and grades of tests are ' +
      'part of the training record (14 CFR 141.101(a)), so this removes the certification of the enrollment. ' +
      'After graduation only a practical test can be recorded; it does not remove the certification. ' +
      `${whoWrites}`,
    body: TestBody,
    answers: { 201: envelope(TrainingTest) },
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      trainingErrors.notTheirEnrollment,
      trainingErrors.unknownEnrollment,
      trainingErrors.inFuture,
      trainingErrors.testOfNobody,
      trainingErrors.testHasNoCauses,
      trainingErrors.unknownEndorsement,
      trainingErrors.grantNeeded,
      trainingErrors.ownTraining,
      trainingErrors.studentGraduated,
    ],
    write: (tx, { actor, body }) => recordTest(tx, actor, body),
    answer: async (recorded, call) => created(await viewTest(recorded, call)),
  })

  on.get('/training/tests/:id', {
    id: 'readTest',
    access: 'member',
    tag,
    summary: 'Read a test',
    description:
      'Returns a test; `validUntil` follows 14 CFR 61.39(a)(1), (b). Allowed for the student, instructors, admins, and holders of the grant `manageEnrollment` or ' +
      '`auditor`.',
    params: TestParams,
    answers: { 200: envelope(TrainingTest) },
    errors: [trainingErrors.notYourTraining, trainingErrors.noSuchTest],
    read: async ({ db, actor, params }) => {
      const test = await findTest(db, actor.organizationId, params.id)
      const own = test.student.orgUserId === actor.orgUserId
      if (!own && !(await readsAllRecords(db, actor))) throw trainingErrors.notYourTraining()
      return ok(testView(test, actor.organization.timeZoneName))
    },
  })

  on.patch('/training/tests/:id', {
    id: 'changeTest',
    access: 'member',
    tag,
    edits: 'training_test',
    summary: 'Correct a recorded test',
    description:
      'Changes the fields that are sent. A `result` changed after a day needs a `reason`. Removes the certification of the enrollment, unless the test is the ' +
      `practical test of a graduate (14 CFR 141.101(a)). ${whoWrites}`,
    params: TestParams,
    body: TestPatch,
    answers: { 200: envelope(TrainingTest) },
    errors: [
      trainingErrors.unknownEnrollment,
      trainingErrors.inFuture,
      trainingErrors.testHasNoCauses,
      trainingErrors.resultReasonMissing,
      trainingErrors.unknownEndorsement,
      trainingErrors.grantNeeded,
      trainingErrors.ownTraining,
      trainingErrors.noSuchTest,
      trainingErrors.studentGraduated,
    ],
    write: (tx, { actor, params, body }) => changeTest(tx, actor, params.id, body),
    answer: async (changed, call) => ok(await viewTest(changed, call)),
  })
}
