# One static library for each instruction set: only what stands in native/isa/NAME is compiled with its flags, and
# it is reached through the kernel table alone. A new instruction set adds a target like k_avx2, its name to
# processor.cpp and kernel_table.cpp, and lines to the kernels.inc.
#
# pocketllm_cpu_emulated is for tests, and only made where they are: instruction sets that the machine need not have, their
# instructions emulated. Nothing but test/emulated loads it.
{
  "variables": {
    "with_emulated%": "<!(node -p \"+require('fs').existsSync('test/emulated')\")",
    "table_sources": [
      "native/addon.cpp",
      "native/engine/kernel_table.cpp",
      "native/engine/processor.cpp",
      "native/engine/tile_permission.cpp"
    ],
    "vnni_flags": [
      "-mavx2", "-mfma", "-mf16c", "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl", "-mavx512vnni"
    ],
    # gcc 12 warns of registers that its own headers leave undefined on purpose.
    "wide_flags": [
      "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-uninitialized", "-Wno-maybe-uninitialized"
    ]
  },
  "target_defaults": {
    "include_dirs": [
      "<!(node -p \"path.dirname(require.resolve('@pocketllm/abi/pocketllm_abi.h'))\")"
    ],
    "cflags_cc": ["-std=c++17", "-O3", "-fvisibility=hidden", "-Wall", "-Wextra", "-Wno-psabi"],
    "cflags_cc!": ["-std=gnu++17", "-std=gnu++20", "-fno-exceptions"],
    "defines": ["NAPI_VERSION=8"],
    "conditions": [
      ["target_arch=='x64'", { "defines": ["POCKET_HAS_AVX2", "POCKET_HAS_AVX512VNNI"] }],
      ["target_arch=='x64' and OS=='linux'", { "defines": ["POCKET_HAS_AMX", "POCKET_HAS_AVXVNNI"] }],
      ["target_arch=='arm64'", { "defines": ["POCKET_HAS_NEON"] }]
    ],
    "xcode_settings": {
      "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
      "GCC_ENABLE_CPP_EXCEPTIONS": "YES",
      "MACOSX_DEPLOYMENT_TARGET": "11.0"
    }
  },
  "targets": [
    {
      "target_name": "pocketllm_cpu",
      "sources": ["<@(table_sources)"],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
      "defines": ["NAPI_CPP_EXCEPTIONS", "NODE_ADDON_API_DISABLE_DEPRECATED"],
      "dependencies": ["engine", "k_scalar"],
      "conditions": [
        ["target_arch=='x64'", { "dependencies": ["k_avx2", "k_avx512vnni"] }],
        ["target_arch=='x64' and OS=='linux'", { "dependencies": ["k_amx", "k_avxvnni"] }],
        ["target_arch=='arm64'", { "dependencies": ["k_neondot", "k_neoni8mm"] }]
      ]
    },
    {
      # All that is the same whatever instruction sets there are.
      "target_name": "engine",
      "type": "static_library",
      "sources": [
        "native/addon/cache_object.cpp",
        "native/addon/executable_object.cpp",
        "native/addon/pool_object.cpp",
        "native/engine/executable.cpp",
        "native/engine/memory.cpp",
        "native/engine/memory_limits.cpp",
        "native/engine/paged_cache.cpp",
        "native/engine/plan.cpp",
        "native/engine/step_rows.cpp",
        "native/engine/thread_pool.cpp",
        "native/engine/weight_memory.cpp",
        "native/engine/operations/attention.cpp",
        "native/engine/operations/matmul.cpp",
        "native/engine/operations/matmul_experts.cpp",
        "native/engine/operations/panels.cpp",
        "native/engine/operations/range.cpp"
      ],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
      "defines": ["NAPI_CPP_EXCEPTIONS", "NODE_ADDON_API_DISABLE_DEPRECATED"]
    },
    {
      "target_name": "k_scalar",
      "type": "static_library",
      "sources": [
        "native/isa/scalar/attention.cpp",
        "native/isa/scalar/encode.cpp",
        "native/isa/scalar/matmul.cpp",
        "native/isa/scalar/range.cpp"
      ],
      # Rounding stays as written: the compiler must not fuse a product and a sum here and not there.
      "cflags_cc": ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
    }
  ],
  "conditions": [
    ["target_arch=='x64'", {
      "targets": [
        {
          "target_name": "k_avx2",
          "type": "static_library",
          "sources": [
            "native/isa/avx2/attention.cpp",
            "native/isa/avx2/encode.cpp",
            "native/isa/avx2/matmul.cpp",
            "native/isa/avx2/range.cpp"
          ],
          "cflags_cc": ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-mavx2", "-mfma", "-mf16c"],
          "xcode_settings": { "OTHER_CPLUSPLUSFLAGS": ["-mavx2", "-mfma", "-mf16c"] }
        },
        {
          "target_name": "k_avx512vnni",
          "type": "static_library",
          "sources": [
            "native/isa/avx512vnni/attention.cpp",
            "native/isa/avx512vnni/encode.cpp",
            "native/isa/avx512vnni/matmul.cpp",
            "native/isa/avx512vnni/range.cpp"
          ],
          "cflags_cc": ["<@(wide_flags)", "<@(vnni_flags)"],
          "xcode_settings": { "OTHER_CPLUSPLUSFLAGS": ["<@(vnni_flags)"] }
        }
      ]
    }],
    ["target_arch=='x64' and OS=='linux'", {
      "targets": [
        {
          "target_name": "k_amx",
          "type": "static_library",
          "sources": ["native/isa/amx/attention.cpp", "native/isa/amx/matmul.cpp", "native/isa/amx/range.cpp"],
          "cflags_cc": ["<@(wide_flags)", "<@(vnni_flags)", "-mamx-tile", "-mamx-bf16"]
        },
        {
          "target_name": "k_avxvnni",
          "type": "static_library",
          "sources": ["native/isa/avxvnni/matmul.cpp"],
          "cflags_cc": ["<@(wide_flags)", "-mavx2", "-mfma", "-mf16c", "-mavxvnni"]
        }
      ]
    }],
    ["target_arch=='x64' and OS=='linux' and with_emulated==1", {
      "targets": [
        {
          "target_name": "pocketllm_cpu_emulated",
          "sources": ["<@(table_sources)"],
          "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")"],
          "defines": ["NAPI_CPP_EXCEPTIONS", "NODE_ADDON_API_DISABLE_DEPRECATED", "POCKET_EMULATED"],
          "dependencies": ["engine", "k_scalar", "k_avx2", "k_avx512vnni", "k_amx_emulated", "k_avxvnni_emulated"]
        },
        {
          "target_name": "k_amx_emulated",
          "type": "static_library",
          "sources": ["native/isa/amx/attention.cpp", "native/isa/amx/matmul.cpp", "native/isa/amx/range.cpp"],
          "defines": ["POCKET_EMULATED_TILES"],
          "cflags_cc": ["<@(wide_flags)", "<@(vnni_flags)"]
        },
        {
          "target_name": "k_avxvnni_emulated",
          "type": "static_library",
          "sources": ["native/isa/avxvnni/matmul.cpp"],
          "defines": ["POCKET_EMULATED_AVXVNNI"],
          "cflags_cc": ["<@(wide_flags)", "-mavx2", "-mfma", "-mf16c"]
        }
      ]
    }],
    ["target_arch=='arm64'", {
      "targets": [
        {
          "target_name": "k_neondot",
          "type": "static_library",
          "sources": [
            "native/isa/neondot/attention.cpp",
            "native/isa/neondot/encode.cpp",
            "native/isa/neondot/matmul.cpp",
            "native/isa/neondot/range.cpp"
          ],
          "cflags_cc": ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-march=armv8.2-a+dotprod"],
          "xcode_settings": { "OTHER_CPLUSPLUSFLAGS": ["-march=armv8.2-a+dotprod"] }
        },
        {
          "target_name": "k_neoni8mm",
          "type": "static_library",
          "sources": [
            "native/isa/neoni8mm/attention.cpp",
            "native/isa/neoni8mm/matmul.cpp",
            "native/isa/neoni8mm/range.cpp"
          ],
          "cflags_cc": ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-march=armv8.2-a+dotprod+i8mm"],
          "xcode_settings": { "OTHER_CPLUSPLUSFLAGS": ["-march=armv8.2-a+dotprod+i8mm"] }
        }
      ]
    }]
  ]
}
