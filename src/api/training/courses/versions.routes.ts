import { publishVersion, retireVersion } from '../../../shared/training/courses/publish-version.ts'
import { replaceGradingScale } from '../../../shared/training/courses/replace-grading-scale.ts'
import { setDeviceCeilings } from '../../../shared/training/courses/set-device-ceilings.ts'
import { findVersion } from '../../../shared/training/courses/version.queries.ts'
import { assertHolds } from '../../../shared/training/grants/grant.access.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { envelope } from '../../http/schemas.ts'
import { opensFor, VersionParams } from '../training.schemas.ts'
import { Version, versionView } from './version.view.ts'
import { DeviceCeilingsBody, GradingScaleBody, PublishBody, RetireBody } from './versions.schemas.ts'

const tag = 'Training'
const answers = { 200: envelope(Version) }

async function answerVersion({ id }: { id: number }, { db, actor }: Pick<Call<'member'>, 'db' | 'actor'>) {
  return ok(versionView(await findVersion(db, actor.organizationId, id)))
}

export const versionRoutes: Routes = (on) => {
  on.get('/training/versions/:versionId', {
    id: 'readCourseVersion',
    access: 'member',
    tag,
    summary: 'Read a version with its whole syllabus',
    description:
      `Returns one version with its requirements, stages, lessons and tasks. ${opensFor.configureOrAudit} 14 CFR ` +
      '141.55 says what a Part 141 course contains.',
    params: VersionParams,
    answers,
    errors: [trainingErrors.grantNeeded, trainingErrors.noSuchVersion],
    read: async ({ params, ...call }) => {
      await assertHolds(call.db, call.actor, ['configureTraining', 'auditor'])
      return answerVersion({ id: params.versionId }, call)
    },
  })

  on.put('/training/versions/:versionId/gradingScale', {
    id: 'replaceGradingScale',
    access: 'member',
    tag,
    summary: 'Replace the grading scale of a draft',
    description:
      'Replaces all grades of a draft. A new version has the grades S (passing), U and I. ' +
      `${opensFor.configureTraining}`,
    params: VersionParams,
    body: GradingScaleBody,
    answers,
    errors: [
      trainingErrors.gradeTwice,
      trainingErrors.noPassingGrade,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params, body }) => replaceGradingScale(tx, actor, params.versionId, body.scale),
    answer: answerVersion,
  })

  on.put('/training/versions/:versionId/deviceCeilings', {
    id: 'replaceDeviceCeilings',
    access: 'member',
    tag,
    summary: 'Limit the time in simulators and training devices of a draft',
    description:
      'Replaces the ceilings, which limit how much time in simulators and training devices counts. A ceiling applies ' +
      'to some kinds of device, or to all kinds together. It is a share of the flight training that the course or ' +
      'the appendix requires, whichever is less, rounded down to tenths of an hour. 14 CFR 141 sets these ceilings ' +
      'for all kinds together, and for training devices alone: Appendix B 20 % and 15 %; Appendix C 50 % and 40 % ' +
      '(basic devices ' +
      `25 %); Appendix D 30 % and 20 %. ${opensFor.configureTraining}`,
    params: VersionParams,
    body: DeviceCeilingsBody,
    answers,
    errors: [
      trainingErrors.ceilingsOverlap,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params, body }) => setDeviceCeilings(tx, actor, params.versionId, body),
    answer: answerVersion,
  })

  on.post('/training/versions/:versionId/publish', {
    id: 'publishCourseVersion',
    access: 'member',
    tag,
    summary: 'Publish a draft',
    description:
      'Publishes a draft. A published version cannot change; copy it to a new version instead. Under Part 141, ' +
      '`approvedAt` and `approvalReference` record the approval by the authority (14 CFR 141.53, 141.55). ' +
      `${opensFor.configureTraining}`,
    params: VersionParams,
    body: PublishBody,
    answers,
    errors: [
      trainingErrors.versionEmpty,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchVersion,
      trainingErrors.publishedAlready,
      trainingErrors.publishedBefore,
    ],
    write: (tx, { actor, params, body }) => publishVersion(tx, actor, params.versionId, body),
    answer: answerVersion,
  })

  on.post('/training/versions/:versionId/retire', {
    id: 'retireCourseVersion',
    access: 'member',
    tag,
    summary: 'Close a published version to new students, or open it again',
    description:
      'Closes a published version to new students, or opens it again. Enrolled students can finish on a retired ' +
      `version. A version that is opened again has the state \`published\`. ${opensFor.configureTraining}`,
    params: VersionParams,
    body: RetireBody,
    answers,
    errors: [trainingErrors.grantNeeded, trainingErrors.noSuchVersion, trainingErrors.versionIsDraft],
    write: (tx, { actor, params, body }) => retireVersion(tx, actor, params.versionId, body.retired),
    answer: answerVersion,
  })
}
