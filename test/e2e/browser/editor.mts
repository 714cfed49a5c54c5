import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import type { Owner } from '../n8nApi.mts';
import { runDir } from '../paths.mts';

export const screenshotDir = join(runDir, 'screenshots');

/** A step that takes longer than this is broken. */
const STEP_TIMEOUT_MS = 20_000;
const WINDOW = { width: 1440, height: 900 };

export type Theme = 'dark' | 'light';

/** n8n's editor as a person uses it: everything goes through what is on the screen. */
export class Editor {
	readonly page: Page;
	readonly #url: string;

	private constructor(page: Page, url: string) {
		this.page = page;
		this.#url = url;
	}

	/** Signs in, in a browser that knows nothing of earlier ones. */
	static async signIn(browser: Browser, url: string, owner: Owner): Promise<Editor> {
		const context = await browser.newContext({ viewport: WINDOW, colorScheme: 'light' });
		context.setDefaultTimeout(STEP_TIMEOUT_MS);
		const page = await context.newPage();
		await page.goto(`${url}/signin`);
		await page.getByLabel('Email').fill(owner.email);
		await page.getByLabel('Password').fill(owner.password);
		await page.getByRole('button', { name: 'Sign in' }).click();
		await page.waitForURL(/\/(home|workflow|projects)/);
		return new Editor(page, url);
	}

	/** Keeps what is on the screen as .run/screenshots/NAME.png. */
	async screenshot(name: string): Promise<void> {
		mkdirSync(screenshotDir, { recursive: true });
		// What slides or fades in is waited for.
		await this.page.evaluate(
			'Promise.all(document.getAnimations().filter((a) => a.effect.getTiming().iterations !== Infinity).map((a) => a.finished.catch(() => {})))',
		);
		await this.page.screenshot({ path: join(screenshotDir, `${name}.png`) });
	}

	async theme(colorScheme: Theme): Promise<void> {
		await this.page.emulateMedia({ colorScheme });
	}

	async newWorkflow(): Promise<void> {
		await this.page.goto(`${this.#url}/workflow/new`);
		await this.page.getByTestId('canvas-plus-button').first().waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.#url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	async openNode(workflowId: string, nodeId: string): Promise<void> {
		await this.page.goto(`${this.#url}/workflow/${workflowId}/${nodeId}`);
		await this.ndv.waitFor();
	}

	get ndv(): Locator {
		return this.page.getByTestId('ndv');
	}

	get parameters(): Locator {
		return this.ndv.getByTestId('node-parameters');
	}

	get output(): Locator {
		return this.ndv.getByTestId('output-panel');
	}

	get input(): Locator {
		return this.ndv.getByTestId('ndv-input-panel');
	}

	async closeNode(): Promise<void> {
		await this.ndv.getByTestId('ndv-close-button').click();
		await this.ndv.waitFor({ state: 'hidden' });
	}

	/** The nodes panel with what it finds for `term`; opened by the plus of the canvas or of the last node. */
	async search(term: string): Promise<Locator> {
		const panel = this.page.getByTestId('node-creator');
		if (!(await panel.isVisible())) {
			const pluses = ['canvas-handle-plus', 'canvas-plus-button'];
			const [afterNode, first] = pluses.map((id) => this.page.getByTestId(id).last());
			await afterNode.or(first).last().click();
		}
		await panel.getByTestId('node-creator-search-bar').fill(term);
		return panel;
	}

	/** The workflow's first node: starts it by a click. */
	async addManualTrigger(): Promise<void> {
		const panel = await this.search('Trigger manually');
		await panel.getByText('Trigger manually').first().click();
		await panel.waitFor({ state: 'hidden' });
	}

	/** Adds one of the package's actions or triggers by its name in the panel; its node opens. */
	async addOurs(term: string, action: string): Promise<void> {
		const panel = await this.search(term);
		await panel.getByTestId('node-creator-item-name').getByText('Mural Enterprise').click();
		await panel.getByText(action, { exact: true }).click();
		await this.ndv.waitFor();
	}

	/** Chooses from a list of options. */
	async choose(parameter: string, option: string): Promise<void> {
		await this.parameters.getByTestId(`parameter-input-${parameter}`).click();
		await this.page.getByRole('option', { name: option }).first().click();
	}

	locator(parameter: string): Locator {
		return this.parameters.getByTestId(`resource-locator-${parameter}`);
	}

	/** Opens the list of a locator. Returns its entries. */
	async openList(parameter: string): Promise<Locator> {
		await this.locator(parameter).getByTestId('rlc-input-container').click();
		const items = this.page.getByTestId('rlc-item');
		await items.first().waitFor();
		return items;
	}

	/** Names a thing in another way than by the list. */
	async enterInLocator(parameter: string, mode: string, value: string): Promise<void> {
		await this.locator(parameter).getByTestId('rlc-mode-selector').click();
		await this.page.getByTestId(`mode-${mode}`).click();
		await this.#taken(value, this.locator(parameter).getByTestId('rlc-input').fill(value));
	}

	/** Waits until n8n has saved a value: what is run before is the workflow without it. */
	async #taken(value: string, entering: Promise<void>): Promise<void> {
		const isSaved = (request: Request) =>
			request.method() === 'PATCH' && (request.postData()?.includes(value) ?? false);
		await Promise.all([this.page.waitForResponse((answer) => isSaved(answer.request())), entering]);
	}

	/** Runs the open node and waits for its end, good or bad. */
	async execute(): Promise<void> {
		await this.ndv.getByTestId('node-execute-button').click();
		await this.output.getByText(/\d+ items?/).waitFor();
	}
}
