import type { Data, ExampleRun } from './example-run.ts'

/** Sends the requests about courses with their syllabi, enrollments, records, credits, endorsements and grants. */
export async function trainingExamples(run: ExampleRun): Promise<void> {
  await courseExamples(run)
  await recordExamples(run)
  await endorsementExamples(run)
}

async function courseExamples({ send }: ExampleRun): Promise<void> {
  const course = await send('olivia', 'POST /training/courses', {
    body: {
      name: 'Tailwheel, with spin awareness',
      description: 'Five hours to the endorsement of 14 CFR 61.31(i)',
      enrollmentFeeCents: 9_000,
      enrollmentFeeLabel: 'Materials',
      regulatoryPart: 'part61',
      certificateSought: 'endorsement',
      targetDays: 60,
    },
  })
  const params = { courseId: course.id }
  await send('olivia', 'PATCH /training/courses/{courseId}', { params, body: { targetDays: 45 } })
  const { versions } = (await send('olivia', 'GET /training/courses/{courseId}', { params })) as unknown as {
    versions: Data[]
  }
  const version = { versionId: versions[0]?.id ?? 0 }
  const scale = [
    { code: 'S', label: 'Satisfactory', passing: true },
    { code: 'U', label: 'Unsatisfactory', passing: false },
  ]
  await send('olivia', 'PUT /training/versions/{versionId}/gradingScale', { params: version, body: { scale } })
  await send('olivia', 'PUT /training/versions/{versionId}/deviceCeilings', {
    params: version,
    body: { appendix: null, deviceCeilings: [{ deviceKinds: ['batd'], bps: 0 }] },
  })
  const stage = await send('olivia', 'PUT /training/versions/{versionId}/stages', {
    params: version,
    body: { name: 'Stage 1: three-point landings', objective: 'Safe in light crosswinds', position: 1 },
  })
  const requirement = await send('olivia', 'PUT /training/versions/{versionId}/requirements', {
    params: version,
    body: { code: 'TW.DUAL', label: 'Tailwheel training', minDeciHours: 50 },
  })
  const lesson = await send('olivia', 'PUT /training/versions/{versionId}/lessons', {
    params: version,
    body: {
      stageId: stage.id,
      name: 'Ground handling and three-point landings',
      position: 1,
      kind: 'flight',
      objectives: 'Straight on the ground at all speeds',
      minFlightDeciHours: 12,
      requiresSignoff: true,
      credits: [{ requirementId: requirement.id, clock: 'instruction' }],
    },
  })
  await send('olivia', 'PUT /training/versions/{versionId}/lessons/{lessonId}/tasks', {
    params: { ...version, lessonId: lesson.id },
    body: { tasks: [{ name: 'Taxi with a quartering tailwind' }, { name: 'Three-point landing' }] },
  })
  await spareExamples({ send }, version)
  await send('olivia', 'GET /training/versions/{versionId}', { params: version })
  await send('olivia', 'POST /training/versions/{versionId}/publish', {
    params: version,
    body: { approvedAt: '2026-05-28T09:00:00-07:00', approvalReference: 'Chief instructor, 28 May' },
  })
  await send('olivia', 'POST /training/courses/{courseId}/versions', {
    params,
    body: { label: 'Rev B', copyFromVersionId: version.versionId },
  })
  await send('olivia', 'POST /training/versions/{versionId}/retire', { params: version, body: { retired: true } })
  await send('olivia', 'POST /training/templates/{templateKey}', {
    params: { templateKey: 'complex' },
    body: { name: 'Complex airplane' },
  })
}

/** Adds a stage, a lesson and a requirement to a draft, and deletes them. */
async function spareExamples({ send }: Pick<ExampleRun, 'send'>, version: { versionId: number }): Promise<void> {
  const add = (part: string, body: object) =>
    send('olivia', `PUT /training/versions/{versionId}/${part}`, { params: version, body })
  const { id: stageId } = await add('stages', { name: 'Stage 2: wheel landings', position: 2 })
  const { id: lessonId } = await add('lessons', { stageId, name: 'Wheel landings', position: 1, kind: 'flight' })
  const { id: requirementId } = await add('requirements', { code: 'TW.WHEEL', label: 'Wheel landings', minCount: 5 })
  const path = 'DELETE /training/versions/{versionId}'
  await send('olivia', `${path}/lessons/{lessonId}`, { params: { ...version, lessonId } })
  await send('olivia', `${path}/requirements/{requirementId}`, { params: { ...version, requirementId } })
  await send('olivia', `${path}/stages/{stageId}`, { params: { ...version, stageId } })
}

async function recordExamples({ send, school }: ExampleRun): Promise<void> {
  const { actors, courses } = school
  const { id: courseId, versionId, lessonIds, requirementIds } = courses.private
  const enrollment = await send('olivia', 'POST /training/enrollments', {
    body: {
      versionId,
      orgUserId: actors.samir.orgUserId,
      instructorOrgUserId: actors.isabel.orgUserId,
      enrollmentCertificateNumber: '2026-0117',
    },
  })
  const params = { enrollmentId: enrollment.id }
  await send('isabel', 'PATCH /training/enrollments/{enrollmentId}', {
    params,
    body: {
      plannedTest: {
        at: '2026-11-12T09:00:00-08:00',
        applicationAt: '2026-11-02T09:00:00-08:00',
        resourceId: school.resourceIds.N734FL,
        examiner: 'Ada Okafor, DPE',
        location: 'Hayward Executive',
      },
    },
  })
  await send('isabel', 'GET /training/enrollments/{enrollmentId}/readiness', { params })
  await send('olivia', 'POST /training/enrollments/{enrollmentId}/fee', { params })
  const record = await send('olivia', 'POST /training/records', {
    body: {
      ...params,
      lessonId: lessonIds.get('First flight'),
      grade: 'S',
      notes: 'Holds altitude within 100 feet.',
      flightDeciHours: 14,
      instructionDeciHours: 14,
      instructorOrgUserId: actors.isabel.orgUserId,
      occurredAt: '2026-05-30T10:00:00-07:00',
    },
  })
  const ofRecord = { recordId: record.id }
  await send('olivia', 'GET /training/records/{recordId}', { params: ofRecord })
  await send('olivia', 'POST /training/records/{recordId}/sign', {
    params: ofRecord,
    body: { signerCertificateNumber: '3141592CFI' },
  })
  await send('samir', 'POST /training/records/{recordId}/countersign', { params: ofRecord, body: {} })
  const successor = await send('olivia', 'POST /training/records/{recordId}/amend', {
    params: ofRecord,
    body: { reason: 'The lesson was another one' },
  })
  await send('olivia', 'POST /training/records/sign', {
    body: { recordIds: [successor.id], signerCertificateNumber: '3141592CFI' },
  })
  const credit = (await send('olivia', 'POST /training/credits', {
    body: {
      ...params,
      requirementId: requirementIds.get('PPL.TOTAL'),
      source: 'transfer_61',
      deciHours: 120,
      notes: 'Logbook of the school before',
      occurredAt: '2026-04-10T12:00:00-07:00',
    },
  })) as Data
  await send('olivia', 'POST /training/credits/{creditId}/reverse', {
    params: { creditId: credit.id },
    body: { reason: 'Posted to the wrong requirement' },
  })
  const test = await send('isabel', 'POST /training/tests', {
    body: {
      ...params,
      kind: 'knowledge',
      takenAt: '2026-05-29T10:00:00-07:00',
      result: 'passed',
      score: 87,
      examiner: 'PSI, Hayward',
      deficiencies: 'PA.I.C.K2, PA.I.E.K1',
      reportNumber: '9088123456',
    },
  })
  await send('isabel', 'GET /training/tests/{id}', { params: { id: test.id } })
  await send('isabel', 'PATCH /training/tests/{id}', { params: { id: test.id }, body: { score: 88 } })
  await send('olivia', 'GET /training/enrollments/{enrollmentId}', { params })
  await send('olivia', 'POST /training/enrollments/{enrollmentId}/certify', { params })
  await send('olivia', 'POST /training/enrollments/{enrollmentId}/graduate', {
    params,
    body: { graduationCertificateNumber: 'BFA-2026-032' },
  })
  const medical = await send('samir', 'POST /documents', {
    body: { title: 'Medical, third class', category: 'medical', fileName: 'medical.pdf' },
  })
  await send('samir', 'PUT /training/enrollments/{enrollmentId}/packetDocuments', {
    params,
    body: { documents: [{ documentId: medical.id, until: '2026-06-20T23:59:59-07:00' }] },
  })
  await send('isabel', 'GET /training/enrollments/{enrollmentId}/packetDocuments', { params })
  await send('isabel', 'GET /training/enrollments/{enrollmentId}/packet', { params })
  await send('samir', 'GET /training/enrollments/{enrollmentId}/outlook', { params })
  const certificate = 'GET /training/enrollments/{enrollmentId}/certificates'
  await send('olivia', `${certificate}/enrollment`, { params })
  await send('olivia', `${certificate}/graduation`, { params })
  const second = await send('olivia', 'POST /training/enrollments', {
    body: { versionId, orgUserId: actors.dana.orgUserId },
  })
  await send('olivia', 'POST /training/enrollments/{enrollmentId}/end', {
    params: { enrollmentId: second.id },
    body: { status: 'terminated', reason: 'Moved to another city' },
  })
  const grant = await send('olivia', 'POST /training/grants', {
    body: { orgUserId: actors.isabel.orgUserId, grant: 'checkInstructor', courseId },
  })
  await send('olivia', 'DELETE /training/grants/{grantId}', { params: { grantId: grant.id } })
}

async function endorsementExamples({ send, school }: ExampleRun): Promise<void> {
  const orgUserId = school.actors.stella.orgUserId
  await send('isabel', 'POST /training/endorsements', {
    body: {
      orgUserId,
      templateCode: 'A.8',
      renderedText:
        'I have flown with Stella Lindqvist between Hayward (KHWD) and Livermore (KLVK), in both directions.',
      parameters: { airport: 'KHWD', otherAirport: 'KLVK', conditions: 'by day' },
      trainingAt: '2026-05-31T10:00:00-07:00',
      signerCertificateNumber: '3141592CFI',
      signerCertificateExpiry: '2027-11-30T23:59:59-08:00',
    },
  })
  const inHerName = async (templateCode: string, renderedText: string) => {
    const signedBy = { orgUserId: school.actors.isabel.orgUserId, certificateNumber: '3141592CFI' }
    const { id } = await send('adam', 'POST /training/endorsements', {
      body: { orgUserId, templateCode, renderedText, signedBy },
    })
    return { params: { id } }
  }
  const trained = await inHerName('A.3', 'Stella Lindqvist has passed the test of 14 CFR 61.87(b).')
  await send('isabel', 'GET /training/endorsements/{id}', trained)
  await send('isabel', 'POST /training/endorsements/{id}/confirm', trained)
  const unknown = await inHerName('A.5', 'Stella Lindqvist may fly solo at night at Hayward (KHWD).')
  await send('isabel', 'POST /training/endorsements/{id}/disown', unknown)
  await send('isabel', 'POST /training/endorsements/batch', {
    body: {
      orgUserId,
      trainingAt: '2026-05-31T10:00:00-07:00',
      parameters: { makeAndModel: 'Cessna 172S', limitations: 'winds of at most 8 knots' },
      signerCertificateNumber: '3141592CFI',
      items: [{ templateCode: 'A.4' }, { templateCode: 'A.6' }],
    },
  })
}
