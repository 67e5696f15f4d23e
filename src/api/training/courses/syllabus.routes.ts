import { z } from 'zod'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { replaceTasks } from '../../../shared/training/courses/replace-tasks.ts'
import { findVersion, type VersionRow } from '../../../shared/training/courses/version.queries.ts'
import { deleteLesson, writeLesson } from '../../../shared/training/courses/write-lesson.ts'
import { deleteRequirement, writeRequirement } from '../../../shared/training/courses/write-requirement.ts'
import { deleteStage, writeStage } from '../../../shared/training/courses/write-stage.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { envelope, Reference } from '../../http/schemas.ts'
import { opensFor, VersionParams } from '../training.schemas.ts'
import { Lesson, lessonView, Requirement, requirementView, Stage, stageView, Task, taskView } from './version.view.ts'
import {
  LessonBody,
  LessonParams,
  RequirementBody,
  RequirementParams,
  StageBody,
  StageParams,
  TasksBody,
} from './versions.schemas.ts'

const tag = 'Training'
const access = 'member'
const gone = { 200: envelope(Reference) }
const replaces = 'A change replaces all fields: absent ones take their defaults.'

type Asked = Pick<Call<'member'>, 'db' | 'actor'> & { params: { versionId: number } }

/** Returns a part of the version that was just written. */
async function partOf<Part>(
  { db, actor, params }: Asked,
  find: (version: VersionRow) => Part | undefined,
): Promise<Part> {
  const part = find(await findVersion(db, actor.organizationId, params.versionId))
  if (part === undefined) throw platformErrors.noSuchRecord()
  return part
}

const lessonsOf = ({ stages }: VersionRow) => stages.flatMap(({ lessons }) => lessons)

export const syllabusRoutes: Routes = (on) => {
  on.put('/training/versions/:versionId/stages', {
    id: 'putStage',
    access,
    tag,
    summary: 'Add a stage to a draft, or change one',
    description: `Adds a stage to a draft, or changes one. ${replaces} ${opensFor.configureTraining}`,
    params: VersionParams,
    body: StageBody,
    answers: { 200: envelope(Stage) },
    errors: [
      trainingErrors.unknownStage,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params, body }) => writeStage(tx, actor, params.versionId, body),
    answer: async ({ id }, call) =>
      ok(stageView(await partOf(call, ({ stages }) => stages.find((stage) => stage.id === id)))),
  })

  on.delete('/training/versions/:versionId/stages/:stageId', {
    id: 'deleteStage',
    access,
    tag,
    summary: 'Delete a stage of a draft, with its lessons',
    description: `Deletes a stage of a draft, with its lessons. ${opensFor.configureTraining}`,
    params: StageParams,
    answers: gone,
    errors: [
      trainingErrors.grantNeeded,
      trainingErrors.noSuchStage,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params }) => deleteStage(tx, actor, params.versionId, params.stageId),
    answer: (result) => ok(result),
  })

  on.put('/training/versions/:versionId/lessons', {
    id: 'putLesson',
    access,
    tag,
    summary: 'Add a lesson to a draft, or change one',
    description:
      `Adds a lesson to a draft, or changes one. ${replaces} The tasks stay; the \`credits\` stay when they are ` +
      'absent. A stage check is signed by a check instructor of the course who is not the student’s own instructor ' +
      `and signed no other lesson of the stage. ${opensFor.configureTraining}`,
    params: VersionParams,
    body: LessonBody,
    answers: { 200: envelope(Lesson) },
    errors: [
      trainingErrors.clockOrCount,
      trainingErrors.creditOfUnknown,
      trainingErrors.requirementCounted,
      trainingErrors.requirementTimed,
      trainingErrors.unknownStage,
      trainingErrors.unknownLesson,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params, body }) => writeLesson(tx, actor, params.versionId, body),
    answer: async ({ id }, call) =>
      ok(lessonView(await partOf(call, (version) => lessonsOf(version).find((lesson) => lesson.id === id)))),
  })

  on.delete('/training/versions/:versionId/lessons/:lessonId', {
    id: 'deleteLesson',
    access,
    tag,
    summary: 'Delete a lesson of a draft',
    description: `Deletes a lesson of a draft, with its tasks and credits. ${opensFor.configureTraining}`,
    params: LessonParams,
    answers: gone,
    errors: [
      trainingErrors.grantNeeded,
      trainingErrors.noSuchLesson,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params }) => deleteLesson(tx, actor, params.versionId, params.lessonId),
    answer: (result) => ok(result),
  })

  on.put('/training/versions/:versionId/lessons/:lessonId/tasks', {
    id: 'replaceLessonTasks',
    access,
    tag,
    summary: 'Replace the tasks of a lesson of a draft',
    description: `Replaces all tasks of a lesson of a draft, in the given order. ${opensFor.configureTraining}`,
    params: LessonParams,
    body: TasksBody,
    answers: { 200: envelope(z.array(Task)) },
    errors: [
      trainingErrors.grantNeeded,
      trainingErrors.noSuchLesson,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params, body }) => replaceTasks(tx, actor, params, body.tasks),
    answer: async ({ id }, call) => {
      const lesson = await partOf(call, (version) => lessonsOf(version).find((one) => one.id === id))
      return ok(lesson.tasks.map(taskView))
    },
  })

  on.put('/training/versions/:versionId/requirements', {
    id: 'putRequirement',
    access,
    tag,
    summary: 'Add a requirement to a draft, or change one',
    description:
      'Adds a requirement to a draft, or changes one. A requirement is a number of hours or a count, never both. ' +
      `${replaces} Recency windows are those of 14 CFR 61.109(a)(4), 61.65(d)(2)(i) and 61.129(a)(3)(v), and the 60 ` +
      `days of Part 141 Appendix B, section 4. ${opensFor.configureTraining}`,
    params: VersionParams,
    body: RequirementBody,
    answers: { 200: envelope(Requirement) },
    errors: [
      trainingErrors.twoWindows,
      trainingErrors.hoursAndCount,
      trainingErrors.hoursOrCount,
      trainingErrors.unknownRequirement,
      trainingErrors.creditedByCount,
      trainingErrors.creditedInHours,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchVersion,
      trainingErrors.requirementCodeGiven,
      platformErrors.requirementCodeTaken,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params, body }) => writeRequirement(tx, actor, params.versionId, body),
    answer: async ({ id }, call) =>
      ok(requirementView(await partOf(call, ({ requirements }) => requirements.find((one) => one.id === id)))),
  })

  on.delete('/training/versions/:versionId/requirements/:requirementId', {
    id: 'deleteRequirement',
    access,
    tag,
    summary: 'Delete a requirement of a draft',
    description: `Deletes a requirement of a draft, with the credits of lessons to it. ${opensFor.configureTraining}`,
    params: RequirementParams,
    answers: gone,
    errors: [
      trainingErrors.grantNeeded,
      trainingErrors.noSuchRequirement,
      trainingErrors.noSuchVersion,
      trainingErrors.versionFixed,
    ],
    write: (tx, { actor, params }) => deleteRequirement(tx, actor, params.versionId, params.requirementId),
    answer: (result) => ok(result),
  })
}
