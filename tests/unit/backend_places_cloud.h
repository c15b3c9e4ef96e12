/* backend_places_cloud.h — stores of clouds as places of the backend suite; a part of
 * backend_places.h, which includes it behind what it needs. */
#pragma once

static inline void s3_set_up(struct suite *suite)
{
    assert_int_equal(setenv("AWS_ACCESS_KEY_ID", "suite-key", 1), 0);
    assert_int_equal(setenv("AWS_SECRET_ACCESS_KEY", "suite-secret", 1), 0);
    blob_server_open(&suite->server);
    suite->server.is_s3 = true;
    suite->url = arena_printf(&suite->arena,
                              "s3://bucket/some/place?region=here&endpoint=http://127.0.0.1:%u",
                              listener_port(suite->server.listener));
}

static inline void gs_set_up(struct suite *suite)
{
    blob_server_open(&suite->server);
    suite->server.dialect = blob_serve_gs;
    str address =
        arena_printf(&suite->arena, "127.0.0.1:%u", listener_port(suite->server.listener));
    assert_int_equal(setenv("STORAGE_EMULATOR_HOST", address.ptr, 1), 0);
    suite->url = STR("gs://bucket/some/place");
}

static inline void azblob_set_up(struct suite *suite)
{
    assert_int_equal(setenv("AZURE_STORAGE_ACCOUNT", "acc", 1), 0);
    assert_int_equal(setenv("AZURE_STORAGE_KEY", "a2V5", 1), 0);
    blob_server_open(&suite->server);
    suite->server.dialect = blob_serve_azblob;
    suite->url =
        arena_printf(&suite->arena, "azblob://box/some/place?protocol=http&domain=127.0.0.1:%u",
                     listener_port(suite->server.listener));
}
