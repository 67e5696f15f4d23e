import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { ratings } from '../../../shared/qualification/ratings.rules.ts'
import { findCourse, listCourses } from '../../../shared/training/courses/course.queries.ts'
import { createVersion } from '../../../shared/training/courses/create-version.ts'
import { createCourse, updateCourse } from '../../../shared/training/courses/put-course.ts'
import { findVersion } from '../../../shared/training/courses/version.queries.ts'
import { mustHold } from '../../../shared/training/grants/grant.access.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope } from '../../http/schemas.ts'
import { CourseParams, opensFor } from '../training.schemas.ts'
import { Course, courseView, Rating } from './course.view.ts'
import { CourseBody, CoursePatch, CourseQuery, VersionBody } from './courses.schemas.ts'
import { Version, versionView } from './version.view.ts'

const tag = 'Training'
const answers = { 200: envelope(Course) }

export const courseRoutes: Routes = (on) => {
  on.get('/ratings', {
    id: 'listRatings',
    access: 'member',
    tag,
    summary: 'List the ratings that courses and bookings can be for',
    description:
      'The catalog behind `ratingId` and `rating`; the same everywhere, and its ids never change. ' + '14 CFR 61.5(b).',
    query: ListQuery,
    answers: { 200: envelope(z.array(Rating)) },
    read: async ({ query }) => page(await listPage(listOf([...ratings]), query, (rating) => rating)),
  })

  on.get('/training/courses', {
    id: 'listCourses',
    access: 'member',
    tag,
    summary: 'List the courses',
    description: `By name, each with summaries of its versions. ${opensFor.configureOrAudit}`,
    query: CourseQuery,
    answers: { 200: envelope(z.array(Course)) },
    errors: [trainingErrors.grantNeeded],
    read: async ({ db, actor, query }) => {
      await mustHold(db, actor, ['configureTraining', 'auditor'])
      return page(await listPage(listCourses(db, actor.organizationId, query.includeArchived), query, courseView))
    },
  })

  on.post('/training/courses', {
    id: 'createCourse',
    access: 'member',
    tag,
    summary: 'Add a course',
    description: `With an empty draft of its syllabus, Rev A. ${opensFor.configureTraining} Of Part 141: 14 CFR 141.55.`,
    body: CourseBody,
    answers,
    errors: [qualificationErrors.unknownRating, trainingErrors.grantNeeded],
    write: (tx, { actor, body }) => createCourse(tx, actor, body),
    answer: async ({ id }, { db, actor }) => ok(courseView(await findCourse(db, actor.organizationId, id))),
  })

  on.get('/training/courses/:courseId', {
    id: 'readCourse',
    access: 'member',
    tag,
    summary: 'Read a course with all its versions',
    description: `${opensFor.configureOrAudit} What a course of Part 141 holds: 14 CFR 141.55.`,
    params: CourseParams,
    answers,
    errors: [trainingErrors.grantNeeded, trainingErrors.noSuchCourse],
    read: async ({ db, actor, params }) => {
      await mustHold(db, actor, ['configureTraining', 'auditor'])
      return ok(courseView(await findCourse(db, actor.organizationId, params.courseId)))
    },
  })

  on.patch('/training/courses/:courseId', {
    id: 'updateCourse',
    access: 'member',
    tag,
    edits: 'training_course',
    summary: 'Change a course',
    description:
      'What is left out stays. A new fee counts for enrolments from now on. An archived course takes no new students; ' +
      `its students finish. ${opensFor.configureTraining} The chief instructor is that of 14 CFR 141.85.`,
    params: CourseParams,
    body: CoursePatch,
    answers,
    errors: [
      identityErrors.unknownMember,
      identityErrors.lacksRole,
      qualificationErrors.unknownRating,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchCourse,
    ],
    write: (tx, { actor, params, body }) => updateCourse(tx, actor, params.courseId, body),
    answer: async ({ id }, { db, actor }) => ok(courseView(await findCourse(db, actor.organizationId, id))),
  })

  on.post('/training/courses/:courseId/versions', {
    id: 'createCourseVersion',
    access: 'member',
    tag,
    summary: 'Add a draft of the syllabus',
    description:
      `Empty, or a copy that shares nothing with its source. ${opensFor.configureTraining} ` +
      'What a course of Part 141 holds: 14 CFR 141.55.',
    params: CourseParams,
    body: VersionBody,
    answers: { 200: envelope(Version) },
    errors: [
      trainingErrors.unknownVersion,
      trainingErrors.grantNeeded,
      trainingErrors.noSuchCourse,
      trainingErrors.versionLabelGiven,
      platformErrors.versionLabelTaken,
    ],
    write: (tx, { actor, params, body }) => createVersion(tx, actor, params.courseId, body),
    answer: async ({ id }, { db, actor }) => ok(versionView(await findVersion(db, actor.organizationId, id))),
  })
}
