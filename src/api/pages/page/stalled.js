/** The page that the mail of stalled students opens: it signs in, and shows the report of the organization that the address names. */
const byId = (id) => document.getElementById(id)
const organization = Number(new URLSearchParams(location.hash.slice(1)).get('organization'))

async function call(method, path, body, bearer) {
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = await response.json()
    return { ok: response.ok, data: answer.data, message: answer.message }
  } catch {
    return { ok: false, message: 'The service cannot be reached. Please check the connection and try again.' }
  }
}

/** Signs in to the organization and reads its report. */
async function read(email, password) {
  let answer = await call('POST', 'auth', { email, password })
  if (answer.ok && organization && answer.data.organization?.id !== organization) {
    answer = await call('POST', `organizations/switch/${organization}`, undefined, answer.data.token)
  }
  return answer.ok ? call('GET', 'reports/stalled', undefined, answer.data.token) : answer
}

/** Shows a row per student. What follows the colon of a cause is its category, or the id of a lesson. */
function show(students) {
  byId('form').hidden = true
  byId('students').hidden = students.length === 0
  byId('text').textContent =
    students.length === 0 ? 'Nobody is stalled now.' : 'Days without a completed lesson, and why.'
  for (const { enrollment, days, cause } of students) {
    const row = byId('rows').insertRow()
    const name = document.createElement('th')
    name.scope = 'row'
    name.textContent = enrollment.student.name
    row.append(name)
    const [kind, more] = cause.replaceAll('_', ' ').split(':')
    const words = more === undefined || kind === 'repeating' ? kind : `${kind}: ${more}`
    for (const text of [days, words]) row.insertCell().textContent = text
  }
}

byId('form').onsubmit = async (event) => {
  event.preventDefault()
  byId('submit').disabled = true
  const { ok, data, message } = await read(byId('email').value, byId('password').value)
  byId('submit').disabled = false
  byId('problem').hidden = ok
  byId('problem').textContent = ok ? '' : message
  if (ok) show(data)
}
