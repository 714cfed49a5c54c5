// n8n's engine prints every node error; the tests look at them themselves.
process.env.N8N_LOG_LEVEL ??= 'silent';

/** @type {import('jest').Config} */
module.exports = {
	rootDir: __dirname,
	testEnvironment: 'node',
	// Tests are .mts: n8n's lint forbids Node built-ins in every .ts file, tests included.
	testMatch: ['<rootDir>/test/**/*.test.mts'],
	moduleFileExtensions: ['mts', 'ts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'^.+\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.run/'],
	restoreMocks: true,
};
