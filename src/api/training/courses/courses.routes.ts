import { z } from 'zod'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { qualificationErrors } from '../../../shared/qualification/qualification.errors.ts'
import { ratings } from '../../../shared/qualification/ratings.rules.ts'
import { findCourse, listCourses } from '../../../shared/training/courses/course.queries.ts'
import { createVersion } from '../../../shared/training/courses/create-version.ts'
import { findVersion } from '../../../shared/training/courses/version.queries.ts'
import { createCourse, updateCourse } from '../../../shared/training/courses/write-course.ts'
import { assertHolds } from '../../../shared/training/grants/grant.access.ts'
import { trainingErrors } from '../../../shared/training/training.errors.ts'
import { ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listOf, listPage } from '../../http/lists.ts'
import { envelope } from '../../http/schemas.ts'
import { Rating } from '../../qualification/rating.view.ts'
import { CourseParams, opensFor } from '../training.schemas.ts'
import { Course, courseView } from './course.view.ts'
import { CourseBody, CoursePatch, CourseQuery, VersionBody } from './courses.schemas.ts'
import { Version, versionView } from './version.view.ts'

const tag = 'Training'
const answers = { 200: envelope(Course) }

export const courseRoutes: Routes = (on) => {
  on.get('/ratings', {
    id: 'listRatings',
    access: 'member',
    tag,
    summary: 'List the ratings of courses and bookings',
    description:
      'Lists the ratings that `ratingId` and `rating` refer to (14 CFR 61.5(b)). The list is the same for every ' +
      'organization, and the ids never change.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Rating)) },
    read: async ({ query }) => page(await listPage(listOf([...ratings]), query, (rating) => rating)),
  })

  on.get('/training/courses', {
    id: 'listCourses',
    access: 'member',
    tag,
    summary: 'List the courses',
    description: `Lists the courses by name, each with a summary of its versions. ${opensFor.configureOrAudit}`,
    query: CourseQuery,
    answers: { 200: envelope(z.array(Course)) },
    errors: [trainingErrors.grantNeeded],
    read: async ({ db, actor, query }) => {
      await assertHolds(db, actor, ['configureTraining', 'auditor'])
      return page(await listPage(listCourses(db, actor.organizationId, query.includeArchived), query, courseView))
    },
  })

  on.post('/training/courses', {
    id: 'createCourse',
    access: 'member',
    tag,
    summary: 'Add a course',
    description:
      `Creates a course with an empty draft of its syllabus, labelled \`Rev A\`. ${opensFor.configureTraining} 14 CFR ` +
      '141.55 says what a Part 141 course contains.',
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
    description:
      `Returns one course with a summary of each version. ${opensFor.configureOrAudit} 14 CFR 141.55 says what a ` +
      'Part 141 course contains.',
    params: CourseParams,
    answers,
    errors: [trainingErrors.grantNeeded, trainingErrors.noSuchCourse],
    read: async ({ db, actor, params }) => {
      await assertHolds(db, actor, ['configureTraining', 'auditor'])
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
      'Changes the fields that are sent. A new fee applies to later enrollments only. An archived course takes no ' +
      'new students; its present students can finish. `chiefInstructorOrgUserId` is the chief instructor ' +
      `of 14 CFR 141.85. ${opensFor.configureTraining}`,
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
    summary: 'Add a draft version of the syllabus',
    description:
      'Creates a draft version: empty, or a full copy of another version. Later changes of the source do not affect ' +
      `the copy. ${opensFor.configureTraining} 14 CFR 141.55 says what a Part 141 course contains.`,
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
