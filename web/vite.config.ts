import { defineConfig } from "vitest/config";

// The page runs under a strict Content-Security-Policy: nothing inline, no data: scripts, no preload shim.
export default defineConfig({
  esbuild: { jsx: "automatic" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rollupOptions: {
      onwarn(warning, warn) {
        // Zod has /*@__PURE__*/ where Rollup reads none; it says so for pages, and the bundle is the same.
        const known =
          warning.code === "INVALID_ANNOTATION" &&
          /[\\/]zod[\\/]/.test(warning.id ?? warning.loc?.file ?? "");
        if (!known) warn(warning);
      },
    },
  },
  server: { proxy: { "/api": process.env["MEMEX_URL"] ?? "http://127.0.0.1:8765" } },
  test: { environment: "node", include: ["src/**/*.test.{ts,tsx}"] },
});
