/** The page that the mail of an offer opens. The token is in the fragment; opening the page only reads the offer. */
const byId = (id) => document.getElementById(id)
const token = location.hash.slice(1)

async function post(path, body) {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    const answer = await response.json()
    return { ok: response.ok, data: answer.data, message: answer.message }
  } catch {
    return { ok: false, message: 'The service cannot be reached. Please check the connection and try again.' }
  }
}

function end(title, text, state) {
  byId('form').hidden = true
  byId('title').textContent = title
  byId('text').textContent = text
  document.title = `${title} · Flightline`
  document.body.dataset.state = state
}

/** Returns the place in words: when it is, on what, with whom, and what it costs at most. */
function inWords({ start, end: until, timeZoneName: timeZone, resourceName, instructorFirstName, ...rest }) {
  const day = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full', timeStyle: 'short' })
  const time = new Intl.DateTimeFormat('en-US', { timeZone, timeStyle: 'short' })
  const { estimatedCents, currency, expiresAt } = rest
  const cost =
    estimatedCents === null
      ? []
      : [`about ${new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(estimatedCents / 100)}`]
  return [
    `${day.format(new Date(start))} to ${time.format(new Date(until))}`,
    ...(resourceName ? [resourceName] : []),
    ...(instructorFirstName ? [`with ${instructorFirstName}`] : []),
    ...cost,
    `answer until ${day.format(new Date(expiresAt))}`,
  ].join(' · ')
}

const endings = {
  accepted: ['You are booked', 'Thank you. You can close this page.', 'done'],
  declined: ['You have declined', 'The place goes to the next person. You can close this page.', 'done'],
  expired: ['This offer has ended', 'Nobody answered it in time.', 'failed'],
  withdrawn: ['This offer has ended', 'The place is no longer free.', 'failed'],
}

async function show() {
  byId('link-field').hidden = true
  byId('link').required = false
  byId('text').textContent = 'One moment …'
  const { ok, data, message } = await post('offers/lookup', { token })
  if (!ok) return end('This offer has ended', message, 'failed')
  if (data.status !== 'open') return end(...endings[data.status])
  byId('title').textContent = `A place for you, ${data.firstName}`
  byId('text').textContent = inWords(data)
}

byId('form').onsubmit = async (event) => {
  if (!token) return
  event.preventDefault()
  const buttons = [...byId('form').querySelectorAll('button')]
  for (const button of buttons) button.disabled = true
  const { ok, data, message } = await post('offers/answer', { token, answer: event.submitter.value })
  for (const button of buttons) button.disabled = false
  byId('problem').hidden = ok
  if (ok) end(...endings[data.status])
  else byId('problem').textContent = message
}

if (token) show()
