import { admins, members, type Rights, staff } from './rights.ts'

const graders = ['owner', 'admin', 'instructor'] as const
const reading = ['configureTraining', 'auditor'] as const
const configure = { who: admins, grants: ['configureTraining'] } as const
const manage = { who: admins, grants: ['manageEnrollment'] } as const
/** The record is the student's own, and only they countersign it. */
const notTheirs = { owner: 403, admin: 403, dispatcher: 403, instructor: 403, renter: 403, technician: 403 } as const

export const courseRights: Rights[] = [
  { endpoint: 'GET /ratings', who: members },
  { endpoint: 'GET /training/courses', who: admins, grants: reading },
  { endpoint: 'POST /training/courses', ...configure, body: () => ({ name: 'Instrument', regulatoryPart: 'part141' }) },
  { endpoint: 'GET /training/courses/{courseId}', who: admins, grants: reading, at: ['course'] },
  { endpoint: 'PATCH /training/courses/{courseId}', ...configure, at: ['course'], body: () => ({ targetDays: 180 }) },
  {
    endpoint: 'POST /training/courses/{courseId}/versions',
    ...configure,
    at: ['course'],
    body: ({ published }) => ({ label: 'Rev D', copyFromVersionId: published }),
  },
  { endpoint: 'GET /training/templates', who: admins, grants: reading },
  {
    endpoint: 'POST /training/templates/{templateKey}',
    ...configure,
    at: [{ text: 'tailwheel' }],
    body: () => ({ name: 'Tailwheel' }),
  },
  { endpoint: 'GET /training/versions/{versionId}', who: admins, grants: reading, at: ['draft'] },
  {
    endpoint: 'PUT /training/versions/{versionId}/gradingScale',
    ...configure,
    at: ['draft'],
    body: () => ({ scale: [{ code: 'S', passing: true }, { code: 'U' }] }),
  },
  {
    endpoint: 'PUT /training/versions/{versionId}/deviceCeilings',
    ...configure,
    at: ['draft'],
    body: () => ({ appendix: 'b', deviceCeilings: [{ deviceKinds: ['batd'], bps: 1500 }] }),
  },
  {
    endpoint: 'PUT /training/versions/{versionId}/stages',
    ...configure,
    at: ['draft'],
    body: ({ draftStage }) => ({ stageId: draftStage, name: 'Solo', position: 1 }),
  },
  {
    endpoint: 'PUT /training/versions/{versionId}/lessons',
    ...configure,
    at: ['draft'],
    body: ({ draftStage, draftLesson, draftRequirement }) => ({
      lessonId: draftLesson,
      stageId: draftStage,
      name: 'Steep turns',
      position: 1,
      kind: 'flight',
      credits: [{ requirementId: draftRequirement, clock: 'flight' }],
    }),
  },
  {
    endpoint: 'PUT /training/versions/{versionId}/lessons/{lessonId}/tasks',
    ...configure,
    at: ['draft', 'draftLesson'],
    body: () => ({ tasks: [{ name: 'Power-Off Stalls', acsCode: 'PA.VII.B' }] }),
  },
  {
    endpoint: 'PUT /training/versions/{versionId}/requirements',
    ...configure,
    at: ['draft'],
    body: ({ draftRequirement }) => ({
      requirementId: draftRequirement,
      code: 'DUAL',
      label: 'Dual',
      minDeciHours: 20,
    }),
  },
  {
    endpoint: 'DELETE /training/versions/{versionId}/lessons/{lessonId}',
    ...configure,
    at: ['draft', 'draftLesson'],
  },
  { endpoint: 'DELETE /training/versions/{versionId}/stages/{stageId}', ...configure, at: ['draft', 'draftStage'] },
  {
    endpoint: 'DELETE /training/versions/{versionId}/requirements/{requirementId}',
    ...configure,
    at: ['draft', 'draftRequirement'],
  },
  {
    endpoint: 'POST /training/versions/{versionId}/publish',
    ...configure,
    at: ['publishable'],
    body: () => ({ approvalReference: 'MailMessage of 3 March' }),
  },
  {
    endpoint: 'POST /training/versions/{versionId}/retire',
    ...configure,
    at: ['publishable'],
    body: () => ({ retired: true }),
  },
]

export const trainingRights: Rights[] = [
  { endpoint: 'GET /training/candidates', who: members },
  { endpoint: 'GET /training/enrollments', who: members },
  { endpoint: 'GET /training/students', who: staff, grants: ['auditor'] },
  { endpoint: 'GET /todo/me', who: members },
  { endpoint: 'GET /todo', who: staff, query: ({ everything }) => `?orgUserId=${everything.orgUserId}` },
  {
    endpoint: 'POST /training/enrollments',
    ...manage,
    body: ({ published, everything }) => ({ versionId: published, orgUserId: everything.orgUserId }),
  },
  {
    endpoint: 'GET /training/enrollments/{enrollmentId}',
    who: [...graders, 'student'],
    grants: ['manageEnrollment', 'auditor'],
    at: ['enrollment'],
  },
  {
    endpoint: 'GET /training/enrollments/{enrollmentId}/readiness',
    who: members,
    but: { renter: 404, technician: 404 },
    grants: ['auditor'],
    at: ['enrollment'],
    query: '?at=2027-02-01T17:00:00Z',
  },
  {
    endpoint: 'GET /training/enrollments/{enrollmentId}/outlook',
    who: members,
    but: { renter: 404, technician: 404 },
    grants: ['auditor'],
    at: ['enrollment'],
  },
  {
    endpoint: 'GET /training/enrollments/{enrollmentId}/packet',
    who: members,
    but: { dispatcher: 403, renter: 404, technician: 404 },
    grants: ['auditor'],
    at: ['enrollment'],
    query: '?at=2027-02-01T17:00:00Z',
  },
  {
    endpoint: 'GET /training/enrollments/{enrollmentId}/packetDocuments',
    who: members,
    but: { dispatcher: 403, renter: 404, technician: 404 },
    grants: ['auditor'],
    at: ['enrollment'],
  },
  {
    endpoint: 'PUT /training/enrollments/{enrollmentId}/packetDocuments',
    who: members,
    but: notTheirs,
    at: ['enrollment'],
    body: () => ({ documents: [] }),
    by: 'student',
  },
  {
    endpoint: 'PATCH /training/enrollments/{enrollmentId}',
    who: graders,
    grants: ['manageEnrollment'],
    at: ['enrollment'],
    body: () => ({ plannedTestAt: '2027-02-01T17:00:00Z' }),
  },
  {
    endpoint: 'GET /training/enrollments/{enrollmentId}/certificates/enrollment',
    who: [...graders, 'student'],
    grants: ['manageEnrollment', 'auditor'],
    at: ['enrollment'],
  },
  {
    endpoint: 'GET /training/enrollments/{enrollmentId}/certificates/graduation',
    who: graders,
    grants: ['manageEnrollment', 'auditor'],
    at: ['graduatedEnrollment'],
  },
  { endpoint: 'POST /training/enrollments/{enrollmentId}/certify', ...manage, at: ['enrollment'] },
  {
    endpoint: 'POST /training/enrollments/{enrollmentId}/end',
    ...manage,
    at: ['endingEnrollment'],
    body: () => ({ status: 'terminated', reason: 'Moved away' }),
  },
  { endpoint: 'POST /training/enrollments/{enrollmentId}/fee', ...manage, verified: true, at: ['enrollment'] },
  {
    endpoint: 'POST /training/enrollments/{enrollmentId}/graduate',
    ...manage,
    at: ['graduatingEnrollment'],
    body: () => ({ graduationCertificateNumber: '2026-0117' }),
  },

  {
    endpoint: 'POST /training/credits',
    ...manage,
    body: ({ enrollment, requirement }) => ({
      enrollmentId: enrollment,
      requirementId: requirement,
      source: 'manual',
      deciHours: 7,
      notes: 'Logbook',
    }),
  },
  {
    endpoint: 'POST /training/credits/{creditId}/reverse',
    ...manage,
    at: ['credit'],
    body: () => ({ reason: 'Counted twice' }),
  },

  {
    endpoint: 'POST /training/records',
    who: graders,
    body: ({ enrollment, lesson }) => ({ enrollmentId: enrollment, lessonId: lesson, grade: 'S', flightDeciHours: 9 }),
    by: 'instructor',
  },
  {
    endpoint: 'GET /training/records/{recordId}',
    who: [...graders, 'student'],
    grants: ['manageEnrollment', 'auditor'],
    at: ['signed'],
  },
  { endpoint: 'POST /training/records/{recordId}/sign', who: graders, at: ['graded'], body: () => ({}) },
  { endpoint: 'POST /training/records/sign', who: graders, body: ({ unsigned }) => ({ recordIds: [unsigned] }) },
  {
    endpoint: 'POST /training/records/{recordId}/countersign',
    who: members,
    but: notTheirs,
    at: ['signed'],
    body: () => ({}),
    by: 'student',
  },
  {
    endpoint: 'POST /training/records/{recordId}/amend',
    who: graders,
    at: ['amendable'],
    body: () => ({ reason: 'Wrong lesson' }),
  },

  { endpoint: 'GET /training/tests', who: members },
  {
    endpoint: 'POST /training/tests',
    who: graders,
    grants: ['manageEnrollment'],
    body: ({ enrollment, endorsement }) => ({
      enrollmentId: enrollment,
      kind: 'stage',
      takenAt: '2026-11-20T17:00:00Z',
      result: 'passed',
      score: 92,
      examiner: 'Ada Examiner',
      deficiencies: 'PA.I.C.K2',
      reportNumber: '9088',
      endorsementId: endorsement,
    }),
    by: 'instructor',
  },
  {
    endpoint: 'GET /training/tests/{id}',
    who: [...graders, 'student'],
    grants: ['manageEnrollment', 'auditor'],
    at: ['test'],
  },
  {
    endpoint: 'PATCH /training/tests/{id}',
    who: graders,
    grants: ['manageEnrollment'],
    at: ['test'],
    body: () => ({ result: 'failed', score: 61 }),
  },

  { endpoint: 'GET /training/endorsements', who: members },
  {
    endpoint: 'GET /training/instructors/{orgUserId}/records',
    who: ['owner', 'admin'],
    grants: ['auditor'],
    at: ['pupilMember'],
  },
  {
    endpoint: 'GET /training/endorsements/{id}',
    who: [...graders, 'student'],
    grants: ['auditor'],
    at: ['endorsement'],
  },
  {
    endpoint: 'POST /training/endorsements',
    who: graders,
    body: ({ school, enrollment, endorsement }) => ({
      orgUserId: school.student.orgUserId,
      enrollmentId: enrollment,
      supersedesId: endorsement,
      title: 'Solo cross-country',
      renderedText: 'May fly solo to Livermore.',
    }),
  },
  {
    endpoint: 'POST /training/endorsements/batch',
    who: graders,
    body: ({ school }) => ({
      orgUserId: school.student.orgUserId,
      items: [{ templateCode: 'A.3', renderedText: 'Has passed the test before the first solo.' }],
    }),
  },
  {
    endpoint: 'POST /training/endorsements/{id}/confirm',
    who: graders,
    but: { owner: 403, admin: 403 },
    at: ['endorsementToConfirm'],
    by: 'instructor',
  },
  {
    endpoint: 'POST /training/endorsements/{id}/disown',
    who: graders,
    but: { owner: 403, admin: 403 },
    at: ['endorsementToDisown'],
    by: 'instructor',
  },
  { endpoint: 'GET /training/endorsements/templates', who: members },

  { endpoint: 'GET /training/grants', who: admins, grants: ['auditor'] },
  {
    endpoint: 'POST /training/grants',
    who: admins,
    body: ({ school, course }) => ({
      orgUserId: school.instructor.orgUserId,
      grant: 'checkInstructor',
      courseId: course,
    }),
  },
  { endpoint: 'DELETE /training/grants/{grantId}', who: admins, at: ['grant'] },
  { endpoint: 'GET /training/grants/catalog', who: members },
  { endpoint: 'GET /training/grants/mine', who: members },
]
