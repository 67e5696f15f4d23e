import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { readsAllRecords } from '../../../shared/training/grants/grant.access.ts'
import { changeTest, recordTest } from '../../../shared/training/records/record-test.ts'
import { findTest, listTests } from '../../../shared/training/tests/training-test.queries.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { listPage } from '../../http/lists.ts'
import { envelope } from '../../http/schemas.ts'
import { TrainingTest, testView } from './test.view.ts'
import { TestBody, TestParams, TestPatch, TestQuery } from './tests.schemas.ts'

const tag = 'Training'
const answers = { 200: envelope(TrainingTest) }
const whoWrites = 'For instructors, admins, and holders of the grant `manageEnrollment`; nobody records their own.'

async function answerTest({ id }: { id: number }, { db, actor }: { db: Db; actor: Actor }) {
  return ok(testView(await findTest(db, actor.organizationId, id), actor.organization.timeZoneName))
}

export const testRoutes: Routes = (on) => {
  on.get('/training/tests', {
    id: 'listTests',
    access: 'member',
    tag,
    summary: 'List the tests of students',
    description:
      'Knowledge, practical, stage and end-of-course tests, the latest first. Instructors, admins and holders of the ' +
      'grants `manageEnrollment` and `auditor` read everybody’s; everybody else reads their own. ' +
      '`goodUntil` of a knowledge test is that of 14 CFR 61.39(a)(1), (b).',
    query: TestQuery,
    answers: { 200: envelope(z.array(TrainingTest)) },
    read: async ({ db, actor, query }) => {
      const { enrollmentId, kind } = query
      const orgUserId = (await readsAllRecords(db, actor)) ? query.orgUserId : actor.orgUserId
      const tests = listTests(db, actor.organizationId, { orgUserId, enrollmentId, kind })
      return page(await listPage(tests, query, (row) => testView(row, actor.organization.timeZoneName)))
    },
  })

  on.post('/training/tests', {
    id: 'recordTest',
    access: 'member',
    tag,
    summary: 'Record a test',
    description:
      'Of an enrollment, or of a member outside any. Names and grades of tests are part of the record of 14 CFR 141.101(a), ' +
      `so the certification of the enrollment ends; a practical test can follow graduation. ${whoWrites}`,
    body: TestBody,
    answers,
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      trainingErrors.notTheirEnrollment,
      trainingErrors.unknownEnrollment,
      trainingErrors.inFuture,
      trainingErrors.testOfNobody,
      trainingErrors.unknownEndorsement,
      trainingErrors.grantNeeded,
      trainingErrors.ownTraining,
      trainingErrors.studentGraduated,
    ],
    write: (tx, { actor, body }) => recordTest(tx, actor, body),
    answer: answerTest,
  })

  on.patch('/training/tests/:testId', {
    id: 'changeTest',
    access: 'member',
    tag,
    summary: 'Correct what is recorded of a test',
    description: `What is left out stays. The certification of the enrollment ends. ${whoWrites} 14 CFR 141.101(a).`,
    params: TestParams,
    body: TestPatch,
    answers,
    errors: [
      trainingErrors.unknownEnrollment,
      trainingErrors.inFuture,
      trainingErrors.unknownEndorsement,
      trainingErrors.grantNeeded,
      trainingErrors.ownTraining,
      trainingErrors.noSuchTest,
      trainingErrors.studentGraduated,
    ],
    write: (tx, { actor, params, body }) => changeTest(tx, actor, params.testId, body),
    answer: answerTest,
  })
}
