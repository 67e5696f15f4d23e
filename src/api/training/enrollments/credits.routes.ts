import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { postCredit } from '../../../shared/training/records/post-credit.ts'
import { findCredits } from '../../../shared/training/records/record.queries.ts'
import { reverseCredit } from '../../../shared/training/records/reverse-credit.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { Credit, creditView } from '../records/record.view.ts'
import { CreditBody, CreditParams, ReasonBody } from '../records/records.schemas.ts'
import { opensFor } from '../training.schemas.ts'

const tag = 'Training'
const answers = { 200: envelope(Credit) }

async function answerCredit({ id }: { id: number }, { db, actor }: Pick<Call<'member'>, 'db' | 'actor'>) {
  const [credit] = await findCredits(db, actor.organizationId, { ids: [id] })
  return ok(creditView(credit!))
}

export const creditRoutes: Routes = (on) => {
  on.post('/training/credits', {
    id: 'postTrainingCredit',
    access: 'member',
    tag,
    summary: 'Post transferred, simulator or manual credit',
    description:
      'Posts credit that no lesson posts: transferred credit, simulator credit or manual credit. The ledger has ' +
      'the whole amount; the progress of the enrollment (`standing`) shows how much of it the ceilings of the ' +
      'requirement disallow. 14 CFR 141.77(c) governs transfers to a Part 141 course. ' +
      `${opensFor.manageEnrollment}`,
    body: CreditBody,
    answers,
    errors: [
      trainingErrors.deviceUnknown,
      trainingErrors.creditOfBoth,
      trainingErrors.creditOfNeither,
      trainingErrors.creditZero,
      trainingErrors.requirementCounted,
      trainingErrors.requirementTimed,
      trainingErrors.unknownEnrollment,
      trainingErrors.inFuture,
      trainingErrors.requirementNotInSyllabus,
      trainingErrors.deviceWithoutSimulator,
      trainingErrors.creditWithoutReason,
      trainingErrors.grantNeeded,
      trainingErrors.studentGraduated,
    ],
    write: (tx, { actor, body }) => postCredit(tx, actor, body),
    answer: answerCredit,
  })

  on.post('/training/credits/:creditId/reverse', {
    id: 'reverseTrainingCredit',
    access: 'member',
    tag,
    summary: 'Reverse an entry of the credit ledger',
    description:
      'Posts and returns a reversal: an entry with the negated amount. Both entries stay in the training record (14 ' +
      `CFR 141.101(a)). ${opensFor.manageEnrollment}`,
    params: CreditParams,
    body: ReasonBody,
    answers,
    errors: [
      trainingErrors.grantNeeded,
      trainingErrors.noSuchEnrollment,
      trainingErrors.noSuchCredit,
      platformErrors.entryReversed,
      trainingErrors.isReversal,
      trainingErrors.studentGraduated,
    ],
    write: (tx, { actor, params, body }) => reverseCredit(tx, actor, params.creditId, body.reason),
    answer: answerCredit,
  })
}
