// The page's script, run by the browser: it asks for the sandbox's state every second.
// Text enters the page through textContent only: names and log entries cannot bring markup along.
const element = (tag, className, text) => {
	const made = document.createElement(tag);
	if (className) made.className = className;
	if (text !== undefined) made.textContent = text;
	return made;
};
const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
const cell = (text, className = '') => ({ text: String(text ?? ''), className });
const moment = (date) =>
	String(date ?? '')
		.replace('T', ' ')
		.replace('Z', '');

const lastChanged = (a, b) => b.meta.lastModified.localeCompare(a.meta.lastModified);

// Columns and rows of each panel; the first entry of a row is its key.
const panels = {
	log: {
		title: 'Audit log',
		columns: ['Date (UTC)', 'Action', 'Actor', 'Affected', 'IP'],
		count: (view) =>
			`${plural(view.log.total, 'entry').replace('entrys', 'entries')}${view.log.waiting ? `, ${view.log.waiting} to appear` : ''}, newest ${view.log.entries.length}`,
		rows: (view) =>
			view.log.entries.map((entry, i) => [
				`${entry.id ?? `none ${i}`}`,
				cell(moment(entry.date), 'code'),
				cell(entry.action, /FAIL|DENIED|SUSPEND|DELETE/.test(entry.action) ? 'bad' : ''),
				cell(
					entry.actor?.type === 'USER'
						? entry.actor.name
						: `${entry.actor?.name} (${entry.actor?.type})`,
				),
				cell(
					`${entry.affected?.type} ${view.names[entry.affected?.id] ?? entry.affected?.id}`,
					'soft',
				),
				cell(entry.ip, 'code soft'),
			]),
	},
	requests: {
		title: 'Requests',
		columns: ['Time', 'Method', 'Path', 'Status', 'ms'],
		count: (view) => `${plural(view.counters.total, 'request')}, ${view.counters.open} open`,
		rows: (view) =>
			view.requests.map((request) => [
				request.n,
				cell(request.at.slice(11, 23), 'code soft'),
				cell(request.method),
				cell(request.path, 'code'),
				cell(
					request.fault
						? `${request.status ?? 'cut'} (${request.fault})`
						: (request.status ?? (request.ms === undefined ? '…' : 'cut')),
					request.status < 400 ? 'good' : 'bad',
				),
				cell(request.ms === undefined ? '' : request.ms.toFixed(1), 'number'),
			]),
	},
	members: {
		title: 'Members',
		columns: ['Name', 'E-mail', 'State', 'Workspaces', 'Murals', 'Modified'],
		count: (view) =>
			`${plural(view.users.length, 'member')}, ${view.users.filter((user) => !user.active).length} suspended`,
		rows: (view) =>
			view.users
				.toSorted(lastChanged)
				.map((user) => [
					user.id,
					cell(`${user.name.givenName} ${user.name.familyName}`),
					cell(user.userName, 'soft'),
					cell(
						!user.active ? 'suspended' : user.locked.length ? 'needs approval' : 'active',
						user.active && !user.locked.length ? 'good' : 'bad',
					),
					cell(view.access[user.id], 'number'),
					cell(view.owned[user.id] ?? 0, 'number'),
					cell(moment(user.meta.lastModified).slice(0, 19), 'code soft'),
				]),
	},
	groups: {
		title: 'Groups',
		columns: ['Name', 'External ID', 'Members', 'Modified'],
		count: (view) => plural(view.groups.length, 'active group'),
		rows: (view) =>
			view.groups
				.toSorted(lastChanged)
				.map((group) => [
					group.id,
					cell(group.displayName),
					cell(group.externalId, 'code soft'),
					cell(group.members.length, 'number'),
					cell(moment(group.meta.lastModified).slice(0, 19), 'code soft'),
				]),
	},
	mappings: {
		title: 'Mappings',
		columns: ['Group', 'Workspace', 'Permissions'],
		count: (view) =>
			plural(
				view.mappings.reduce((sum, { workspaces }) => sum + Object.keys(workspaces).length, 0),
				'mapped workspace',
			),
		rows: (view) =>
			view.mappings.flatMap(({ id, name, workspaces }) =>
				Object.entries(workspaces).map(([workspace, permissions]) => [
					`${id} ${workspace}`,
					cell(name),
					cell(view.names[workspace] ?? workspace),
					cell(
						permissions.length ? permissions.join(', ') : 'none',
						permissions.includes('admin') ? 'bad' : 'soft',
					),
				]),
			),
	},
	jobs: {
		title: 'Transfer jobs',
		columns: ['Started', 'From', 'To', 'State', 'Moved'],
		count: (view) => plural(view.jobs.length, 'job'),
		rows: (view) =>
			view.jobs
				.map((job) => [
					job.jobId,
					cell(new Date(job.startedAt).toISOString().slice(11, 19), 'code soft'),
					cell(view.names[job.fromUserId] ?? job.fromUserId),
					cell(view.names[job.toUserId] ?? job.toUserId),
					cell(
						job.status === 'failed' ? `failed: ${job.error}` : job.status,
						{ finished: 'good', failed: 'bad' }[job.status] ?? '',
					),
					cell(`${job.moved} of ${job.murals}`, 'number'),
				])
				.reverse(),
	},
};

for (const [id, panel] of Object.entries(panels)) {
	const section = element('section');
	section.id = id;
	const head = element('div');
	panel.counted = element('span');
	panel.search = element('input');
	panel.search.placeholder = 'Find';
	panel.search.setAttribute('aria-label', `Find in ${panel.title}`);
	panel.search.addEventListener('input', () => latest && draw(panel, latest));
	head.append(element('h2', '', panel.title), panel.counted, panel.search);
	const table = element('table');
	const titles = table.createTHead().insertRow();
	for (const column of panel.columns) {
		const number = ['Workspaces', 'Murals', 'Members', 'Moved', 'ms'].includes(column);
		titles.append(element('th', number ? 'number' : '', column));
	}
	panel.body = table.createTBody();
	panel.known = new Map();
	panel.empty = element('p', 'empty', 'Nothing here.');
	const scroll = element('div');
	scroll.append(table, panel.empty);
	section.append(head, scroll);
	document.querySelector('main').append(section);
}

// Rows stay the same elements while they do not change; what is new or changed lights up.
function draw(panel, view) {
	const wanted = panel.search.value.trim().toLowerCase();
	const first = panel.drawn === undefined;
	const known = new Map();
	const shown = [];
	for (const [key, ...cells] of panel.rows(view)) {
		const text = cells.map((each) => each.text).join('\t');
		let row = panel.known.get(key);
		if (row?.text !== text) {
			const tr = element('tr', first ? '' : 'fresh');
			for (const each of cells) {
				const td = element('td', each.className, each.text);
				td.title = each.text;
				tr.append(td);
			}
			row = { tr, text };
		}
		known.set(key, row);
		if (text.toLowerCase().includes(wanted)) shown.push(row.tr);
	}
	panel.known = known;
	panel.drawn = true;
	panel.counted.textContent = panel.count(view);
	panel.empty.hidden = shown.length > 0;
	// Rows that stay in place are left alone, so that their light is not cut short.
	shown.forEach((tr, i) => {
		if (panel.body.rows[i] !== tr) panel.body.insertBefore(tr, panel.body.rows[i] ?? null);
	});
	while (panel.body.rows.length > shown.length) panel.body.lastElementChild.remove();
}

let latest;

function show(view) {
	latest = view;
	view.names = {};
	view.owned = {};
	for (const user of view.users)
		view.names[user.id] = `${user.name.givenName} ${user.name.familyName}`;
	for (const { id, name } of view.workspaces) view.names[id] = name;
	for (const { id, displayName } of view.groups) view.names[id] = displayName;
	for (const { id, title, ownerId } of view.murals) {
		view.names[id] = title;
		if (ownerId) view.owned[ownerId] = (view.owned[ownerId] ?? 0) + 1;
	}
	document.title = `${view.company} sandbox`;
	document.getElementById('company').textContent = `${view.company} sandbox`;
	for (const panel of Object.values(panels)) draw(panel, view);
}

function facts() {
	if (!latest) return;
	const { clock, live } = latest;
	const now = clock.rate === 0 ? clock.frozenAt : Date.now() + clock.offsetMs;
	const pace = clock.rate === 0 ? ' (frozen)' : clock.rate === 1 ? '' : ` (×${clock.rate})`;
	const parts = [
		`${moment(new Date(now).toISOString()).slice(0, 19)} UTC${pace}`,
		plural(latest.workspaces.length, 'workspace'),
		plural(latest.murals.length, 'mural'),
		live ? `live: ${live.perMinute} entries a minute` : 'nobody at work (start with --live)',
	];
	document.getElementById('facts').textContent = parts.join('  ·  ');
}

async function refresh() {
	const state = document.getElementById('state');
	try {
		const answer = await fetch(`view?known=${encodeURIComponent(latest?.version ?? '')}`);
		if (!answer.ok) throw new Error(String(answer.status));
		const view = await answer.json();
		if (view.users) show(view);
		Object.assign(latest, view);
		state.textContent = '● connected';
		state.className = 'on';
	} catch {
		state.textContent = '● the sandbox does not answer';
		state.className = 'off';
	}
	facts();
	setTimeout(refresh, 1000);
}
refresh();
